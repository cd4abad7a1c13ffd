"""What a lesson's reader uses and leaves behind: ``check``, ``task`` and ``hint``, and progress on this machine's disk."""
