"""Platform coordinates that follow others, because the legs leave the platform no other motion."""
