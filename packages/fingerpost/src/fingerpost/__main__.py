"""`python -m fingerpost` is the command line."""

import sys

from fingerpost.cli.main import main

sys.exit(main())
