"""The short forms of legs, one file each: from their few keys to the explicit joints."""
