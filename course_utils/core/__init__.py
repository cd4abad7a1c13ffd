"""The foundation of every other room: errors, wording, files, plain data and child processes. It names no framework."""
