// Uses the generated client as a customer would: subscribes, changes with If-Match, lists from a time on, handles a refusal.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/call-back/generated/client"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	ctx := context.Background()
	authorise := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	api, err := client.NewClientWithResponses(os.Args[1], client.WithRequestEditorFn(authorise))
	must(err)

	subscribe := client.CreateWebhookEndpoint{Url: os.Args[3], Events: []client.EventKind{"call.completed"}}
	made, err := api.CreateWebhookEndpointWithResponse(ctx, nil, subscribe)
	must(err)
	id := made.JSON201.Data.Id
	read, err := api.GetWebhookEndpointWithResponse(ctx, id)
	must(err)

	seen := read.HTTPResponse.Header.Get("ETag")
	words := "by Go"
	change := client.ChangeWebhookEndpoint{Description: &words}
	changed, err := api.ChangeWebhookEndpointWithResponse(ctx, id, &client.ChangeWebhookEndpointParams{IfMatch: &seen}, change)
	must(err)
	late, err := api.ChangeWebhookEndpointWithResponse(ctx, id, &client.ChangeWebhookEndpointParams{IfMatch: &seen}, change)
	must(err)

	var from client.Instant
	must(from.FromInstant0(time.Now().Add(-time.Hour).UTC()))
	limit := client.Limit(1)
	listed, err := api.ListCallsWithResponse(ctx, &client.ListCallsParams{From: &from, Limit: &limit})
	must(err)
	fmt.Println(made.StatusCode(), *changed.JSON200.Data.Description, late.StatusCode(), late.ApplicationproblemJSON412.Code, listed.StatusCode())
}
