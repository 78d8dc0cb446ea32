"""However many endpoints of however many accounts hang, the others are told."""
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main, new_account, wait_until  # noqa: E402
from webhook_receiver import Receiver  # noqa: E402

MANY = 120  # more than the sender looks at in one go


class Fair(PspTest):
    def setUp(self):
        super().setUp()
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def endpoint(self, account, url):
        params = [("url", url), ("enabled_events[]", "customer.created")]
        self.json(self.pay(params=params, path="/v1/webhook_endpoints", account=account))

    def happen(self, account):
        self.json(self.pay(params=[("name", "A")], path="/v1/customers", account=account))

    def hanging(self):
        """A URL where connections are taken, and nothing more happens."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=4 * MANY)
        self.addCleanup(listener.close)
        return f"http://127.0.0.1:{listener.getsockname()[1]}/"

    def test_endpoints_that_hang_keep_nobody_waiting(self):
        url = self.hanging()
        for _ in range(MANY):
            account = new_account()
            self.endpoint(account, url)
            self.happen(account)
        for number in range(3):
            account = new_account()
            self.endpoint(account, self.receiver.url)
            self.happen(account)
            wait_until(lambda told=number + 1: len(self.receiver.got) == told, "it is told")
        waiting = [one for one in self.psp.control("GET", "webhooks?limit=1000")["deliveries"]
                   if one["state"] == "pending"]
        # Not one of them was given up (after 10 s) before the others had their turn.
        self.assertEqual([one["attempts"] for one in waiting], [0] * MANY)


if __name__ == "__main__":
    main()
