"""Uses the generated client as a customer would: subscribes, changes with If-Match, lists from a time on, handles a refusal."""

import datetime
import sys

from generated.api.calls import list_calls
from generated.api.webhook_endpoints import change_webhook_endpoint, create_webhook_endpoint, get_webhook_endpoint
from generated.client import AuthenticatedClient
from generated.models import ChangeWebhookEndpoint, CreateWebhookEndpoint, EventKind

base_url, api_key, inbox_url = sys.argv[1:4]
api = AuthenticatedClient(base_url=base_url, token=api_key)

subscribe = CreateWebhookEndpoint(url=inbox_url, events=[EventKind.CALL_COMPLETED])
made = create_webhook_endpoint.sync_detailed(client=api, body=subscribe)
endpoint_id = made.parsed.data.id
seen = get_webhook_endpoint.sync_detailed(endpoint_id, client=api).headers["etag"]

change = ChangeWebhookEndpoint(description="by Python")
changed = change_webhook_endpoint.sync(endpoint_id, client=api, body=change, if_match=seen)
late = change_webhook_endpoint.sync_detailed(endpoint_id, client=api, body=change, if_match=seen)

an_hour_ago = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
listed = list_calls.sync_detailed(client=api, from_=an_hour_ago, limit=1)
print(made.status_code, changed.data.description, late.status_code, late.parsed.code, listed.status_code)
