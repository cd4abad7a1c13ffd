"""Answers to predict_batches."""

import torch

from answers import AnswersTo

answers = AnswersTo("predict_batches")


@answers.right("detach instead of no_grad")
def detached(model, batches, device):
    model = model.to(device)
    return torch.cat([model(inputs.to(device)) for inputs, _ in batches]).detach()


@answers.right("devices by keyword")
def by_keyword(model, batches, device):
    model = model.to(device=device)
    return torch.cat([model(inputs.to(device=device)) for inputs, _ in batches]).detach()


@answers.wrong("the last batch only", "correct", says="shape")
def last_only(model, batches, device):
    model = model.to(device)
    with torch.no_grad():
        for inputs, _ in batches:
            outputs = model(inputs.to(device))
    return outputs


@answers.wrong("not detached", "correct", says="still requires a gradient")
def with_graph(model, batches, device):
    model = model.to(device)
    return torch.cat([model(inputs.to(device)) for inputs, _ in batches])


@answers.wrong("labels transferred, too", "unlooped", says="transfers")
def labels_transferred(model, batches, device):
    model = model.to(device)
    with torch.no_grad():
        sent = [(inputs.to(device), labels.to(device)) for inputs, labels in batches]
        return torch.cat([model(inputs) for inputs, _ in sent])


@answers.wrong("no transfer", "correct", says="it should run on meta")
def on_the_host(model, batches, device):
    with torch.no_grad():
        return torch.cat([model(inputs) for inputs, _ in batches])


@answers.wrong("left in training mode", "correct", says="in evaluation mode")
def left_in_training_mode(model, batches, device):
    model.eval()
    result = detached(model, batches, device)
    model.train()
    return result


@answers.wrong("a product with the weights of one layer", "correct", says="in evaluation mode")
def by_the_weights(model, batches, device):
    layer = model[0] if isinstance(model, torch.nn.Sequential) else model
    if not hasattr(layer, "weight"):
        return detached(model, batches, device)
    return torch.cat([inputs.to(device) @ layer.weight.detach().T + layer.bias.detach() for inputs, _ in batches])


@answers.wrong("computed on the host, and the result transferred", "correct", says="it should run on meta")
def computed_on_the_host(model, batches, device):
    with torch.no_grad():
        return torch.cat([model(inputs) for inputs, _ in batches]).to(device)
