"""The page: ``python app.py``. Settings come from INTERVIEWER_*; see interviewer/settings.py."""

import sys

from interviewer.errors import InterviewerError
from interviewer.settings import load_settings
from interviewer.surfaces.web.serving import serve

if __name__ == "__main__":
    try:
        serve(load_settings())
    except InterviewerError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)
