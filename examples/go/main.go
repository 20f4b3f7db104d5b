// Command upload-file uploads a file with Go 1.21 or later: go run . PATH
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// UploadFile uploads the content of a path. It retries once, with a new upload URL.
func UploadFile(baseURL, clientID, clientSecret, fileID, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	base := strings.TrimRight(baseURL, "/")
	form := url.Values{"grant_type": {"client_credentials"},
		"client_id": {clientID}, "client_secret": {clientSecret}}
	for attempt := 1; ; attempt++ {
		value, retry, err := read(http.PostForm(base+"/oauth/token", form))
		if err == nil {
			sync, _ := http.NewRequest("POST", base+"/v0/files/"+url.PathEscape(fileID)+"/sync", nil)
			sync.Header.Set("Authorization", "Bearer "+value)
			value, retry, err = read(http.DefaultClient.Do(sync))
		}
		if err == nil {
			_, retry, err = put(value, file)
		}
		if !retry || attempt == 2 {
			return err
		}
		time.Sleep(2 * time.Second)
	}
}

func put(uploadURL string, file *os.File) (string, bool, error) {
	info, err := file.Stat()
	if err != nil {
		return "", false, err
	}
	request, err := http.NewRequest("PUT", uploadURL, io.NewSectionReader(file, 0, info.Size()))
	if err != nil {
		return "", false, errors.New("the upload URL is invalid")
	}
	request.ContentLength = info.Size() // the storage rejects a body in chunks
	if info.Size() == 0 {
		request.Body = http.NoBody
	}
	return read(http.DefaultClient.Do(request))
}

// read returns the token or the upload URL of a response, and true if a retry may help.
func read(response *http.Response, err error) (string, bool, error) {
	if err != nil {
		return "", true, errors.Unwrap(err) // the error around it contains the URL
	}
	defer response.Body.Close()
	var body struct {
		AccessToken string `json:"access_token"`
		Data        struct {
			UploadURL string `json:"upload_url"`
		}
	}
	text, err := io.ReadAll(response.Body)
	_ = json.Unmarshal(text, &body) // a success of the storage has no body
	if status := response.StatusCode; status >= 300 {
		err = fmt.Errorf("%s got %d: %s", response.Request.Method, status, text)
		return "", status == 429 || status >= 500 && status != 501, err
	}
	return body.AccessToken + body.Data.UploadURL, err != nil, err
}

func main() {
	env := os.Getenv
	if err := UploadFile(env("FILE_SYNC_BASE_URL"), env("FILE_SYNC_CLIENT_ID"),
		env("FILE_SYNC_CLIENT_SECRET"), env("FILE_SYNC_FILE_ID"), os.Args[1]); err != nil {
		log.Fatal(err)
	}
	fmt.Println("Uploaded.")
}
