"""Proofs of the largest forces, speeds and powers over an envelope, by branch and bound."""
