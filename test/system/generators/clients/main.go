package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	ctx := context.Background()
	client, err := NewClientWithResponses(os.Getenv("FILE_SYNC_BASE_URL"))
	check(err)
	id, secret := os.Getenv("FILE_SYNC_CLIENT_ID"), os.Getenv("FILE_SYNC_CLIENT_SECRET")
	token, err := client.CreateTokenWithFormdataBodyWithResponse(ctx, CreateTokenFormdataRequestBody{
		GrantType: "client_credentials", ClientId: &id, ClientSecret: &secret,
	})
	check(err)
	bearer := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token.JSON200.AccessToken)
		return nil
	}
	volumes, err := client.ListVolumesWithResponse(ctx, bearer)
	check(err)
	sync, err := client.CreateFileSyncWithResponse(ctx, os.Getenv("FILE_SYNC_FILE_ID"), bearer)
	check(err)
	request, err := http.NewRequest(http.MethodPut, sync.JSON200.Data.UploadUrl, strings.NewReader("content"))
	check(err)
	put, err := http.DefaultClient.Do(request)
	check(err)
	unknown, err := client.CreateFileSyncWithResponse(ctx, "no-such-file", bearer)
	check(err)
	notFound, err := unknown.JSON404.AsNotFound()
	check(err)
	fmt.Println(token.JSON200.TokenType, len(volumes.JSON200.Data), put.StatusCode, notFound.Error)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
