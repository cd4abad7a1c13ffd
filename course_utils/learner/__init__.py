"""What a learner uses and stores: ``check``, ``task`` and ``hint``, predictions, and the stored progress."""
