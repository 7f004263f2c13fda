.PHONY: run test doctor soak explore pictures

run: ## set-up and the page, on the embedded default
	@.ci/setup run
	@.venv/bin/python app.py

test: ## set-up and everything that must hold
	@.ci/setup test
	@.ci/check

doctor: ## what is installed, in force and missing
	@.ci/setup run
	@.venv/bin/interviewer doctor

soak: ## 500 submissions, right, wrong and hostile, four at a time; and 60 hostile replies before a very weak model
	@.ci/setup test
	@INTERVIEWER_SOAK=500 .venv/bin/pytest tests/sandbox/test_soak.py tests/interview/test_weak_model.py

explore: ## the property tests on examples that are new each time; make test repeats its own
	@.ci/setup test
	@for round in 1 2 3 4 5; do .venv/bin/pytest -q -n 2 -m hypothesis --hypothesis-profile=default || exit 1; done

pictures: ## docs/pictures anew, taken by the browser tests
	@.ci/setup test
	@INTERVIEWER_PICTURES=docs/pictures .venv/bin/pytest -q tests/surfaces/web/test_browser.py tests/surfaces/web/test_whole_interviews.py
