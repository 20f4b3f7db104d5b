// Uploads a file into a file of the service, with Go 1.25 or later.
package main

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	baseURL      = strings.TrimRight(os.Getenv("FILE_SYNC_BASE_URL"), "/")
	clientID     = os.Getenv("FILE_SYNC_CLIENT_ID")
	clientSecret = os.Getenv("FILE_SYNC_CLIENT_SECRET")
	fileID       = os.Getenv("FILE_SYNC_FILE_ID")
	client       = newHTTPClient()
	token        string
	fresh        bool     // the token is of this attempt
	secrets      []string // never shown, whoever sends them
	quote        string   // the ids of the last request to the service, and of the PUT after it
)

// shown is what another side wrote, fit for a terminal and a log. No word is as long as a secret or a signature.
func shown(text string) string {
	for _, secret := range secrets {
		if secret != "" && strings.Contains(text, secret) {
			return "(a secret, not shown)"
		}
	}
	text = regexp.MustCompile("[^ -~]").ReplaceAllString(text, "?")
	text = regexp.MustCompile(`\S{40,}`).ReplaceAllString(text, "...")
	return fmt.Sprintf("%.200s", text)
}

// errUsage: the command line or a setting makes no sense. Nothing was sent.
var errUsage = errors.New(`
usage: upload-file PATH
Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID.`)

// retryError: another attempt may help, after this time at least.
type retryError struct {
	error
	wait time.Duration
}

func broken(what string, err error) error {
	reason := shown(err.Error())
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		return fmt.Errorf("The certificate of the %s is not trusted: %s.", what, reason)
	}
	doubt := ""
	if what == "storage" {
		doubt = " The file may be stored all the same."
	}
	return retryError{fmt.Errorf("The connection to the %s broke: %s.%s", what, reason, doubt), 0}
}

// passing returns an error for a response after which another attempt may help. It adds the id of the response to quote.
func passing(answer *http.Response, what string) error {
	// Another side wrote the id, so a text that does not look like an id is left out.
	id := answer.Header.Get("apigw-requestid") + answer.Header.Get("x-amz-request-id")
	if regexp.MustCompile(`^[\w=-]{1,32}$`).MatchString(id) {
		quote += fmt.Sprintf(" Quote request id %s of the %s to the operator.", shown(id), what)
	}
	status := answer.StatusCode
	reason := fmt.Errorf("The %s responded with %d.", what, status)
	switch {
	case status == 429 || status >= 500 && status != 501: // a 501 is final: a header of the PUT is not supported
		seconds, _ := strconv.ParseUint(answer.Header.Get("Retry-After"), 10, 33) // more seconds don't fit into a duration
		return retryError{reason, time.Duration(seconds) * time.Second}
	case status/100 == 3:
		return fmt.Errorf("%w This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL.", reason)
	}
	return nil
}

// newHTTPClient makes a client that follows no redirect: it would carry the token to another address.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 2 * time.Minute // after the last byte was sent
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}
}

// isEncryptedOrLocal: without TLS, this machine speaks to itself only.
func isEncryptedOrLocal(address string) bool {
	pattern := "^https://[^/:]"
	if strings.HasPrefix(baseURL, "http:") {
		pattern += `|^http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/.*)?$`
	}
	return regexp.MustCompile(pattern).MatchString(address)
}

// reply is what the service (JSON) or the storage (XML) says. A member that is missing or no text is empty.
type reply struct {
	status      int
	AccessToken string `json:"access_token"`
	Data        struct {
		UploadURL string `json:"upload_url"`
	}
	Code, Error, Message string
	Description          string `json:"error_description"`
}

// rejected explains a rejection in the service's own words, and says what to do.
func rejected(what string, r reply) error {
	next := "Check FILE_SYNC_BASE_URL, or give this message to the operator."
	switch r.Error {
	case "invalid_client":
		next = "Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret."
	case "invalid_scope", "insufficient_scope":
		next = "Ask the operator to allow this client the scope sync:create."
	case "not_found":
		next = "Check the file id. The file must belong to the client's organisation."
	case "sync_not_enabled":
		next = "Ask the operator to enable syncing for this file."
	}
	return fmt.Errorf("%s was rejected with %d: %s (%s). %s", what, r.status, shown(r.Error+r.Message), shown(r.Description), next)
}

// ask sends a form, which may be empty, to the service. It returns the member of the response with this name.
func ask(what, path, authorization, form, name, pattern string) (string, error) {
	request, err := http.NewRequest("POST", baseURL+path, strings.NewReader(form))
	if err != nil || !isEncryptedOrLocal(baseURL) {
		return "", fmt.Errorf("FILE_SYNC_BASE_URL must be a URL, and start with https:// (http:// for this machine only).%w", errUsage)
	}
	request.Header.Set("Authorization", authorization)
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	content, err := send("service", request)
	value := content.AccessToken + content.Data.UploadURL
	switch {
	case err != nil:
		return "", err
	case content.status == 401 && !fresh:
		// The token expired while the file was sent. The next attempt gets a new token.
		token = ""
		return "", retryError{errors.New("The access token has expired."), 0}
	case content.status != 200:
		return "", rejected(what, content)
	case !regexp.MustCompile(pattern).MatchString(value):
		return "", fmt.Errorf("What answers at FILE_SYNC_BASE_URL is not a file-sync service: it gave no %s. Check FILE_SYNC_BASE_URL.", name)
	}
	return value, nil
}

func requestToken() (err error) {
	// RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
	secret := url.QueryEscape(clientSecret)
	basic := base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(clientID) + ":" + secret))
	secrets = append(secrets, clientSecret, secret, basic)
	form := "grant_type=client_credentials&scope=sync%3Acreate"
	token, err = ask("The request for an access token", "/oauth/token", "Basic "+basic, form, "access_token", `^[\w.~+/=-]+$`)
	secrets = append(secrets, token)
	return err
}

func requestUploadURL() (address string, err error) {
	fresh = token == ""
	if fresh {
		err = requestToken()
	}
	if err == nil {
		path := "/v0/files/" + url.PathEscape(fileID) + "/sync"
		address, err = ask("The upload into file "+fileID, path, "Bearer "+token, "", "upload_url", "^[!-~]+$")
	}
	return address, err
}

// send reads 1 MiB of a response. A request to the service gets it within 35 s, a PUT within 35 s of its first byte.
func send(what string, request *http.Request) (content reply, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if what == "service" {
		quote = ""
		time.AfterFunc(35*time.Second, cancel)
	}
	answer, err := client.Do(request.WithContext(ctx))
	if err != nil {
		// The text of the url.Error around it holds the upload URL, and so its signature.
		return content, broken(what, errors.Unwrap(err))
	}
	defer answer.Body.Close()
	time.AfterFunc(35*time.Second, cancel)
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return content, broken(what, err)
	}
	// What is not as expected stays empty.
	_ = json.Unmarshal(body, &content)
	_ = xml.Unmarshal(body, &content)
	content.status = answer.StatusCode
	return content, passing(answer, what)
}

// put streams the file to the upload URL, which is signed: no token and no credentials go there.
func put(address, path string, size int64) error {
	_, query, _ := strings.Cut(address, "?")
	secrets = append(secrets, query)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	request, err := http.NewRequest("PUT", address, file)
	if err != nil || !isEncryptedOrLocal(address) {
		return errors.New("The upload URL is not encrypted, or no URL. Nothing was sent to it.")
	}
	request.ContentLength = size // without it the body is chunked, which the storage rejects with 501
	if size == 0 {
		request.Body = http.NoBody // a length of 0 with another body means that the length is unknown
	}
	request.Header.Set("Content-Type", "application/octet-stream")
	request.Header.Set("Expect", "100-continue") // a rejection comes before the bytes are sent
	content, err := send("storage", request)
	if err != nil {
		if facts, failure := os.Stat(path); failure != nil || facts.Size() != size {
			return fmt.Errorf("%s was changed while it was read. Try again when it is complete.", path)
		}
		return err
	}
	return judge(content)
}

// judge decides whether the bytes are stored, another attempt may help, or neither.
func judge(r reply) error {
	switch {
	case r.status/100 == 2:
		return nil
	case r.status == 412:
		return errors.New("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.")
	}
	words := fmt.Sprintf("%s (%s)", r.Code, r.Message)
	reason := fmt.Errorf("The storage rejected the file with %d: %s.", r.status, shown(words))
	// These pass by themselves, or are cured by a new URL.
	if regexp.MustCompile("^(RequestTimeout|ConditionalRequestConflict|ExpiredToken)|Request has expired").MatchString(words) {
		return retryError{reason, 0}
	}
	return fmt.Errorf("%w Give this message to the operator.", reason)
}

// upload gives each attempt an upload URL of its own, because an interrupted attempt may have used up its URL.
func upload(path string, size int64) error {
	for attempt := 1; ; attempt++ {
		address, err := requestUploadURL()
		if err == nil {
			err = put(address, path, size)
		}
		again, retry := err.(retryError)
		if !retry {
			return err
		}
		if attempt == 5 {
			return fmt.Errorf("%w Given up after 5 attempts. Try again later.", err)
		}
		if again.wait > 2*time.Minute {
			return fmt.Errorf("%w It asks to wait %.0f seconds. Try again after that.", err, again.wait.Seconds())
		}
		// Longer each time, and by chance, so that clients that failed together don't come back together.
		half := time.Second << attempt / 4
		wait := max(again.wait, half+rand.N(half))
		fmt.Fprintf(os.Stderr, "%s Trying again in %.1f s.%s\n", err, wait.Seconds(), quote)
		time.Sleep(wait)
	}
}

func run() error {
	if len(os.Args) != 2 || os.Args[1] == "" || clientID == "" || clientSecret == "" || fileID == "" {
		return fmt.Errorf("Give one path and every setting.%w", errUsage)
	}
	path := os.Args[1]
	facts, err := os.Stat(path)
	if err != nil || !facts.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file.", path)
	}
	size := facts.Size()
	if size > 5_368_709_120 {
		return fmt.Errorf("%s has %d bytes. One upload takes at most 5368709120 (5 GiB). Nothing was sent.", path, size)
	}
	if err := upload(path, size); err != nil {
		return err
	}
	fmt.Printf("%s is uploaded into file %s: %d bytes.\n", path, fileID, size)
	return nil
}

func main() {
	err := run()
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintf(os.Stderr, "error: %s%s\n", err, quote)
		os.Exit(1)
	}
}
