"""Answers to predict_all."""

import torch

from answers import AnswersTo

answers = AnswersTo("predict_all")


@answers.right("no_grad")
def without_gradients(model, batches):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        result = torch.cat([model(batch) for batch in batches])
    model.train(was_training)
    return result


@answers.right("inference_mode")
def in_inference_mode(model, batches):
    was_training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            parts = [model(batch) for batch in batches]
            return torch.cat(parts)
    finally:
        model.train(was_training)


@answers.right("detach after each batch")
def detached_at_once(model, batches):
    was_training = model.training
    predictions = [model.eval()(batch).detach() for batch in batches]
    model.train(was_training)
    return torch.cat(predictions)


@answers.wrong("leaves the model in evaluation mode", "correct", says="model.training is")
def left_in_evaluation_mode(model, batches):
    return in_training_mode(model.eval(), batches)


@answers.wrong("always returns to training mode", "correct", says="model.training is")
def always_back_to_training(model, batches):
    result = without_gradients(model, batches)
    model.train()
    return result


@answers.wrong("no eval()", "correct")
def in_training_mode(model, batches):
    with torch.no_grad():
        return torch.cat([model(batch) for batch in batches])


@answers.wrong("not detached", "correct", says="requires a gradient")
def with_a_graph(model, batches):
    was_training = model.training
    model.eval()
    result = torch.cat([model(batch) for batch in batches])
    model.train(was_training)
    return result


@answers.wrong("detach at the end", "unlooped", says="a gradient's graph keeps")
def detached_late(model, batches):
    return with_a_graph(model, batches).detach()


@answers.wrong("frozen parameters instead of no_grad", "correct", says="a batch that requires a gradient")
def with_frozen_parameters(model, batches):
    frozen = [parameter for parameter in model.parameters() if parameter.requires_grad]
    was_training = model.training
    model.eval().requires_grad_(False)
    result = torch.cat([model(batch) for batch in batches])
    for parameter in frozen:
        parameter.requires_grad_(True)
    model.train(was_training)
    return result


@answers.wrong("all batches in one", "unlooped", says="are alive at one time")
def all_in_one(model, batches):
    return without_gradients(model, [torch.cat(batches)])


@answers.wrong("outputs collected by a hook that is never removed", "correct", says="leaves 1 hook on model")
def by_a_hook(model, batches):
    outputs = []
    model.register_forward_hook(lambda module, inputs, output: outputs.append(output))
    without_gradients(model, batches)
    return torch.cat(outputs)


@answers.wrong("dropout set to 0", "correct", says="model.3.p is 0.0 after the call; the slow loop leaves 0.5")
def without_dropout(model, batches):
    model[3].p = 0.0
    return without_gradients(model, batches)


@answers.wrong("predictions stored on the model", "correct", says="model.predictions is a tensor after the call")
def kept_on_the_model(model, batches):
    model.predictions = without_gradients(model, batches)
    return model.predictions.clone()


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(model, batches):
    return without_gradients(model, [row[None] for batch in batches for row in batch])


@answers.wrong("clears the gradients of the last batch", "correct", says=".grad is None after the call")
def gradients_dropped(model, batches):
    result = without_gradients(model, batches)
    model.zero_grad()
    return result


@answers.wrong("the first eight batches only", "correct", says="300 batches")
def of_eight_batches(model, batches):
    return without_gradients(model, batches[:8])


@answers.wrong("outputs near 0 replaced by 0", "correct", says="a model whose outputs are about 1e-6")
def small_outputs_dropped(model, batches):
    result = without_gradients(model, batches)
    return torch.where(result.abs() < 1e-5, 0, result)


@answers.wrong("equal batches predicted once", "correct", says="one that appears twice")
def each_batch_once(model, batches):
    return without_gradients(model, list({id(batch): batch for batch in batches}.values()))


@answers.wrong("the first 4,096 rows of each batch", "correct", says="4,200 rows")
def of_4096_rows(model, batches):
    return without_gradients(model, [batch[:4096] for batch in batches])


@answers.wrong("evaluation mode for some layers only", "correct", says="functional dropout")
def some_layers(model, batches):
    layers = [each for each in model.modules() if isinstance(each, (torch.nn.BatchNorm1d, torch.nn.Dropout))]
    modes = [layer.training for layer in layers]
    for layer in layers:
        layer.eval()
    result = in_training_mode(model, batches)
    for layer, mode in zip(layers, modes):
        layer.train(mode)
    return result


@answers.wrong("a buffer of two axes", "correct", says="a matrix for each row")
def into_a_matrix(model, batches):
    was_training = model.training
    model.eval()
    parts = [batch for batch in batches if len(batch)]
    with torch.no_grad():
        first = model(parts[0])
        result = first.new_empty(sum(map(len, parts)), first.shape[1])
        for place, batch in zip(result.split([len(part) for part in parts]), parts):
            place.copy_(model(batch))
    model.train(was_training)
    return result
