"""What the tests compare the package with: the slow twin, and streams to feed both."""
