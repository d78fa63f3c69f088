"""`python -m taec`."""

from taec.cli import main

if __name__ == "__main__":
    main()
