"""`python -m linkgram` is the command `linkgram`."""

from linkgram.cli import main

if __name__ == "__main__":
    main()
