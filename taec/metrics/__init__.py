"""Official metrics of the benchmarks and of retrieval, as pure functions: answers and rankings in, numbers in 0..1 out."""
