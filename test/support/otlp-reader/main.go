// Reads OTLP/JSON with the OpenTelemetry Collector's own code, one request per line, and prints the spans as JSON. The published
// definitions of the protocol also read each line: they refuse an unknown field, which the collector would ignore.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"log"
	"os"

	"go.opentelemetry.io/collector/pdata/ptrace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

type span struct {
	TraceID      string         `json:"trace_id"`
	SpanID       string         `json:"span_id"`
	ParentSpanID string         `json:"parent_span_id"`
	Name         string         `json:"name"`
	Kind         string         `json:"kind"`
	Status       string         `json:"status"`
	StartMs      int64          `json:"start_ms"`
	EndMs        int64          `json:"end_ms"`
	Attributes   map[string]any `json:"attributes"`
	Links        int            `json:"links"`
}

// The ids in OTLP/JSON are hexadecimal. The usual JSON form of Protocol Buffers has base64 there.
func withBase64Ids(value any) any {
	switch each := value.(type) {
	case []any:
		for i := range each {
			each[i] = withBase64Ids(each[i])
		}
	case map[string]any:
		for name, field := range each {
			id, isText := field.(string)
			if isText && (name == "traceId" || name == "spanId" || name == "parentSpanId") {
				bytes, err := hex.DecodeString(id)
				if err != nil {
					log.Fatalf("%s: %v", name, err)
				}
				each[name] = base64.StdEncoding.EncodeToString(bytes)
			} else {
				each[name] = withBase64Ids(field)
			}
		}
	}
	return value
}

func refuseUnpublished(line []byte) {
	var request any
	if err := json.Unmarshal(line, &request); err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(withBase64Ids(request))
	if err != nil {
		log.Fatal(err)
	}
	if err := protojson.Unmarshal(text, &tracepb.TracesData{}); err != nil {
		log.Fatal(err)
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	spans := []span{}
	for lines.Scan() {
		refuseUnpublished(lines.Bytes())
		traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(lines.Bytes())
		if err != nil {
			log.Fatal(err)
		}
		for _, resource := range traces.ResourceSpans().All() {
			for _, scope := range resource.ScopeSpans().All() {
				for _, each := range scope.Spans().All() {
					spans = append(spans, span{
						each.TraceID().String(), each.SpanID().String(), each.ParentSpanID().String(),
						each.Name(), each.Kind().String(), each.Status().Code().String(),
						each.StartTimestamp().AsTime().UnixMilli(), each.EndTimestamp().AsTime().UnixMilli(),
						each.Attributes().AsRaw(), each.Links().Len(),
					})
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(spans); err != nil {
		log.Fatal(err)
	}
}
