"""What everything stands on: errors that are single sentences, wording, files, and child processes. It knows no framework."""
