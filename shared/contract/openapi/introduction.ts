export const INTRODUCTION = `A visitor to your website enters a phone number in a widget; the service rings your team, then the visitor, and connects them. Your servers list and cancel calls, process callback leads and receive signed webhooks.

# Authentication
Servers send a secret API key as \`Authorization: Bearer …\`; each operation names the permission that the key needs. Pages send no secret: the workspace must allow their Origin.

# Rate limits
An API key has 600 requests a minute, unless your operator sets another limit. Every response carries \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` for the limit closest to exhaustion. Over a limit you get 429 \`rate_limited\` with \`Retry-After\` in seconds: wait that long, then retry. Testing and recovering endpoints is limited to 10 requests a minute for each workspace.

# Requests and responses
Bodies are JSON; times are UTC with milliseconds. An unknown member of a body and an unknown query parameter are refused by name; only the widget's routes ignore them. Responses may gain members: ignore the ones you do not know. Every response has an \`X-Request-Id\`. Every GET route also answers HEAD.

# Errors
Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. A request that never reaches the service is answered by API Gateway with \`{"message": …}\` and \`Apigw-Requestid\` instead: 400 if it is not HTTP, 413 for a body over 10 MB, 431 for a request line and headers over 10 KB, 429 far above every limit, and 500 or 503 if a function crashed.

# Idempotency
Operations that change something take an \`Idempotency-Key\`. If you repeat a request with the same key and the same JSON within 24 hours, you get the first response again and nothing is changed twice.

# Concurrent changes
Callback leads and webhook endpoints come with an \`ETag\`. Send it back as \`If-Match\` with your PATCH or DELETE: if the resource has changed in the meantime, you get 412 and nothing is changed.

# Lists
Lists are sorted newest first, in pages of \`limit\`. To get the next page, send \`next_cursor\` as \`cursor\` with the same filters.`;
