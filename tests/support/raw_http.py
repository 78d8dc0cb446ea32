"""HTTP as bytes on a socket: what was sent is what is written here, and what came is what came.

No client library is in between, for these tests are about bytes, about FIN and RST, and about which
connection a request was sent on. Nothing waits for ever: whatever takes longer than PATIENCE fails.
"""
import select
import socket
import urllib.parse

PATIENCE = 20  # seconds; far more than anything here takes, so that it never decides a test


class Answer:
    """One response: status, headers (names in lower case), body, and all of its bytes."""

    def __init__(self, head, body):
        lines = head.split(b"\r\n")
        self.status = int(lines[0].split(b" ", 2)[1])
        self.headers = {}
        for line in lines[1:]:
            name, value = line.split(b":", 1)
            self.headers[name.strip().lower().decode()] = value.strip().decode("latin-1")
        self.body = body
        self.raw = head + b"\r\n\r\n" + body

    def header(self, name):
        return self.headers.get(name.lower())


class NoAnswer(Exception):
    """The connection ended before an answer was complete: `how` is fin or rst, `got` what came."""

    def __init__(self, how, got):
        super().__init__(f"{how} after {got!r}")
        self.how = how
        self.got = got


class Connection:
    """One TCP connection to 127.0.0.1:PORT."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)
        return self

    def _more(self):
        try:
            piece = self.socket.recv(1 << 16)
        except ConnectionResetError:
            raise NoAnswer("rst", self.buffer) from None
        if not piece:
            raise NoAnswer("fin", self.buffer)
        self.buffer += piece

    def _until(self, mark):
        while mark not in self.buffer:
            self._more()
        found, self.buffer = self.buffer.split(mark, 1)
        return found

    def _exactly(self, count):
        while len(self.buffer) < count:
            self._more()
        found, self.buffer = self.buffer[:count], self.buffer[count:]
        return found

    def answer(self, method="POST"):
        """The next response; interim ones (100 Continue) are left out."""
        while True:
            head = self._until(b"\r\n\r\n")
            answer = Answer(head, b"")
            if answer.status >= 200:
                break
        if method == "HEAD" or answer.status in (204, 304):
            return answer
        length = answer.header("content-length")
        if length is None:
            return Answer(head, self.rest()[0])
        return Answer(head, self._exactly(int(length)))

    def rest(self):
        """Everything up to the end of the connection, and whether that was a fin or a rst."""
        while True:
            try:
                self._more()
            except NoAnswer as end:
                self.buffer = b""
                return end.got, end.how

    def ask(self, data, method="POST"):
        return self.send(data).answer(method)

    def silent(self):
        """Whether nothing has come so far: no byte, no end of the connection."""
        return self.buffer == b"" and not select.select([self.socket], [], [], 0)[0]


def form(params):
    """PARAMS (a dict, a list of pairs, or the text itself) in x-www-form-urlencoded."""
    if isinstance(params, bytes):
        return params
    if isinstance(params, str):
        return params.encode()
    return urllib.parse.urlencode(params).encode()


def request(method, path, account=None, body=None, key=None, headers=()):
    """The bytes of one request. HEADERS are more (name, value) pairs, text or bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: mockpsp.test"]
    if account is not None:
        lines.append(f"Authorization: Bearer {account}")
    if key is not None:
        lines.append(b"Idempotency-Key: " + (key if isinstance(key, bytes) else key.encode()))
    payload = b"" if body is None else form(body)
    if body is not None:
        lines.append("Content-Type: application/x-www-form-urlencoded")
        lines.append(f"Content-Length: {len(payload)}")
    for name, value in headers:
        lines.append(name.encode() + b": " + (value if isinstance(value, bytes)
                                              else value.encode()))
    encoded = [line if isinstance(line, bytes) else line.encode() for line in lines]
    return b"\r\n".join(encoded) + b"\r\n\r\n" + payload
