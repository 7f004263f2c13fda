"""Interviews in Slack. ``serving`` is where it begins, ``app`` says what is listened to, ``desk`` what is done then.

slack_bolt and slack_sdk stay in this package.
"""
