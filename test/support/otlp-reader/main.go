// Reads OTLP/JSON with the OpenTelemetry Collector's own reader, one request a line, and prints its spans as JSON.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"go.opentelemetry.io/collector/pdata/ptrace"
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

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	spans := []span{}
	for lines.Scan() {
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
