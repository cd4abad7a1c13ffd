"""What people see: views of races, tasks, machines and progress. No view measures or computes a statistic."""
