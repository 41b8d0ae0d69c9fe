"""Studies: one question asked of very many machines or poses, with the same bits wherever it runs."""
