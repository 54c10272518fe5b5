"""``python -m linkwl``."""

from linkwl.cli.main import run

run()
