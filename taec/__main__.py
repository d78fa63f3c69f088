"""`python -m taec`."""

if __name__ == "__main__":
    # here: processes that render import this module again, and have no use for the command line
    from taec.cli import main

    main()
