"""Studies: the same analysis of very many machines or poses, with the same bits wherever it runs."""
