"""A client of a served agent in Python's own library: a turn, an approval, and resuming after a cut.

    python3 examples/python/client.py http://127.0.0.1:3000 desk "Please refund order 4711."
"""

import http.client
import json
import sys
import time
import urllib.error
import urllib.request
import uuid

ATTEMPTS_MAX = 8


class Agent:
    """One thread of one agent, over AG-UI."""

    def __init__(self, server, agent, thread=None, token=None):
        self.url = f"{server}/agui/{agent}"
        self.thread = thread or str(uuid.uuid4())
        self.headers = {"content-type": "application/json", "accept": "text/event-stream"}
        if token:
            self.headers["authorization"] = f"Bearer {token}"

    def say(self, text):
        message = {"id": str(uuid.uuid4()), "role": "user", "content": text}
        return self.run([message], [])

    def answer(self, interrupts, payload):
        resume = [{"interruptId": each["id"], "status": "resolved", "payload": payload} for each in interrupts]
        return self.run([], resume)

    def run(self, messages, resume):
        """Yields the events of a run to its end, over as many connections as it takes."""
        run = {"threadId": self.thread, "runId": str(uuid.uuid4()), "protocolVersion": "1.0"}
        body = json.dumps({**run, "messages": messages, "resume": resume} if resume else {**run, "messages": messages})
        last, failures = None, 0
        while failures < ATTEMPTS_MAX:
            try:
                for frame, event in self._frames(body.encode(), last):
                    last, failures = frame, 0
                    yield event
                    if event["type"] in ("RUN_FINISHED", "RUN_ERROR"):
                        return
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    raise SystemExit(f"{error.code} {json.load(error)['detail']}") from error
            except (OSError, http.client.HTTPException):
                pass  # The connection was cut: the run goes on, and so does its stream.
            failures += 1
            time.sleep(0.1 * failures)
        raise SystemExit("the server does not answer")

    def _frames(self, body, last):
        headers = {**self.headers, **({"last-event-id": last} if last else {})}
        request = urllib.request.Request(self.url, data=body, headers=headers)
        frame = None
        with urllib.request.urlopen(request, timeout=60) as answer:
            for line in answer:
                text = line.decode().rstrip("\n")
                if text.startswith("id: "):
                    frame = text[4:]
                elif text.startswith("data: ") and line.endswith(b"\n"):
                    yield frame, json.loads(text[6:])


def show(events):
    """Prints what the agent says, and returns what it asks."""
    held = ""
    for event in events:
        if event["type"] == "TEXT_MESSAGE_CONTENT" and "subagentRunId" not in event:
            # A delta may end within a character of two UTF-16 units, as JSON allows.
            text = (held + event["delta"]).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
            held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
            print(text.removesuffix(held), end="", flush=True)
        if event["type"] == "RUN_ERROR":
            raise SystemExit(event["message"])
        if event["type"] == "RUN_FINISHED":
            print()
            return event.get("outcome", {}).get("interrupts", [])
    return []


if __name__ == "__main__":
    server, name, words = sys.argv[1:4]
    agent = Agent(server, name)
    asked = show(agent.say(words))
    while asked:
        for each in asked:
            print(each["message"])
        agrees = input("Approve? [y/n] ").strip() == "y"
        asked = show(agent.answer(asked, {"approved": agrees}))
