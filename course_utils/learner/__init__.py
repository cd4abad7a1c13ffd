"""What a learner uses and stores: ``check``, ``task`` and ``hint``, predictions, and progress on this machine's disk."""
