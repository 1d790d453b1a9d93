"""An OpenAI-compatible endpoint whose answers are a function of the request alone.

With `chaos` the first attempts of some requests fail, in a way that their hash chooses. It counts what it was
asked, and refuses requests without its key.
"""

import hashlib
import http.server
import json
import threading
import time


class MockEndpoint:
    def __init__(self, key="", chaos=False, latency=0.0, constrained=False):
        self.key, self.chaos, self.latency = key, chaos, latency
        self.constrained = constrained  # names of calls are those that were offered
        self.down = False
        self.answered = {}  # by hash: how often a whole answer was sent
        self.attempts = {}
        self.lock = threading.Lock()
        endpoint = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                endpoint.get(self)

            def do_POST(self):
                try:
                    endpoint.post(self)
                except (ConnectionError, BrokenPipeError):
                    self.close_connection = True

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request, client_address):
                pass  # clients are killed here

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def send(self, handler, status, document, headers=()):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    def get(self, handler):
        if handler.path.endswith("/models"):
            return self.send(handler, 200, {"object": "list", "data": [
                {"id": "mock", "object": "model", "max_model_len": 32768}]})
        return self.send(handler, 404, {"error": {"message": "no such path"}})

    def post(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        if self.down:
            handler.close_connection = True
            return None
        if self.key and handler.headers.get("Authorization") != f"Bearer {self.key}":
            given = handler.headers.get("Authorization")
            return self.send(handler, 401, {"error": {"message": f"wrong key: {given}"}})
        digest = hashlib.sha256(body).hexdigest()
        with self.lock:
            attempt = self.attempts.get(digest, 0)
            self.attempts[digest] = attempt + 1
        if self.latency:
            time.sleep(self.latency)
        if self.chaos and attempt < int(digest[20], 16) % 3 and int(digest[21], 16) < 5:
            return self.fail(handler, int(digest[22], 16) % 5)
        with self.lock:
            self.answered[digest] = self.answered.get(digest, 0) + 1
        request = json.loads(body)
        probed = [tool["function"]["name"] for tool in request.get("tools", [])] == ["get_weather"]
        return self.send(handler, 200, self.probe(request) if probed else answer(request, digest))

    def probe(self, request):
        """What `unmask run --check` asks: a call of the tool that is offered, or of one that isn't."""
        name = "get_weather"
        if "open_window" in request["messages"][-1]["content"] and not self.constrained:
            name = "open_window"
        call = {"id": "call_0", "type": "function", "function": {"name": name, "arguments": "{}"}}
        choice = {"index": 0, "finish_reason": "tool_calls",
                  "message": {"role": "assistant", "content": None, "tool_calls": [call]}}
        if request.get("logprobs"):
            choice["logprobs"] = {"content": [
                {"token": token, "logprob": -0.1, "top_logprobs": []} for token in ("{", "get", "_weather", "}")]}
        if self.constrained:
            choice["message"]["reasoning_content"] = "The tool tells."
        return {"id": "chatcmpl-probe", "object": "chat.completion", "model": "mock", "choices": [choice],
                "usage": {"prompt_tokens": 50, "completion_tokens": 9}}

    def fail(self, handler, kind):
        if kind == 0:
            return self.send(handler, 500, {"error": {"message": "worker died"}})
        if kind == 1:
            return self.send(handler, 429, {"error": {"message": "slow down"}}, [("Retry-After", "0")])
        if kind == 2:
            return self.send(handler, 503, b"<html>busy</html>")
        if kind == 3:  # cut off in mid-body
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", "4000")
            handler.end_headers()
            handler.wfile.write(b'{"choices": [')
        handler.close_connection = True  # or without a word
        return None


def answer(request, digest):
    digits = [int(digit, 16) for digit in digest]
    message = {"role": "assistant", "content": None}
    tools = [tool["function"]["name"] for tool in request.get("tools", [])]
    if not tools or digits[0] < 5:
        stop = not tools and len(request["messages"]) > 6 or digits[1] < 2
        message["content"] = "Thank you, that is all. ###STOP###" if stop else f"Let me see: {digest[:12]}."
    else:
        message["tool_calls"] = []
        for i in range(2 if digits[2] < 3 else 1):
            name = "invented_tool" if digits[4 + i] < 3 else tools[(16 * digits[6 + i] + digits[4 + i]) % len(tools)]
            arguments = '{"cut": ' if digits[4 + i] == 5 else "{}"
            message["tool_calls"].append({"id": f"call_{digest[8 + i:14 + i]}", "type": "function",
                                          "function": {"name": name, "arguments": arguments}})
    return {"id": "chatcmpl-" + digest[:8], "object": "chat.completion", "model": request.get("model", ""),
            "choices": [{"index": 0, "message": message,
                         "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}],
            "usage": {"prompt_tokens": 100 + len(request["messages"]), "completion_tokens": 9}}
