// Uploads a file into a file of the service, with Go 1.25 or later and golang.org/x/oauth2.
package main

import (
	"context"
	"encoding/json"
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

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

const (
	maximumBytes    = 5_368_709_120 // 5 GiB: what one PUT takes
	maximumAttempts = 5
)

var advice = map[string]string{
	"invalid_client":     "Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.",
	"invalid_scope":      "Ask the operator to allow this client the scope sync:create.",
	"insufficient_scope": "Ask the operator to allow this client the scope sync:create.",
	"not_found":          "Check the file id. The file must belong to the client's organisation.",
	"sync_not_enabled":   "Ask the operator to enable syncing for this file.",
}

// quote has the ids of the last request to the service, and of the PUT after it.
var quote string

// usageError: the command line or a setting makes no sense. Nothing was sent.
type usageError struct{ error }

// retryError: another attempt may help, after so many seconds at least.
type retryError struct {
	error
	wait float64
}

func broken(what string, err error, doubt string) error {
	// The text of a url.Error holds the upload URL, and so its signature.
	var withURL *url.Error
	if errors.As(err, &withURL) {
		err = withURL.Err
	}
	return retryError{fmt.Errorf("The connection to the %s broke: %w.%s", what, err, doubt), 0}
}

// passing returns an error for an answer after which another attempt may help. It adds the id of the answer to quote.
func passing(answer *http.Response, what string) error {
	// Another side wrote the id, so a text that does not look like an id is left out.
	id := answer.Header.Get("apigw-requestid") + answer.Header.Get("x-amz-request-id")
	if regexp.MustCompile(`^[\w=-]{1,64}$`).MatchString(id) {
		quote += fmt.Sprintf(" Quote request id %s of the %s to the operator.", id, what)
	}
	if answer.StatusCode != 429 && answer.StatusCode < 500 {
		return nil
	}
	asked, _ := strconv.ParseUint(answer.Header.Get("Retry-After"), 10, 30)
	return retryError{fmt.Errorf("The %s answered %d.", what, answer.StatusCode), float64(asked)}
}

// refused explains a refusal in the service's own words, and says what to do.
func refused(what string, status int, body []byte) error {
	words := struct {
		Error       string
		Message     string
		Description string `json:"error_description"`
	}{}
	_ = json.Unmarshal(body, &words) // Without words, the status has to do.
	next, known := advice[words.Error]
	if !known {
		next = "Check FILE_SYNC_BASE_URL, or give this message to the operator."
	}
	return fmt.Errorf("%s was refused with %d: %s (%s). %s", what, status, words.Error+words.Message, words.Description, next)
}

func isEncryptedOrLocal(text string) bool {
	parsed, err := url.Parse(text)
	if err != nil {
		return false
	}
	host := parsed.Hostname()
	local := host == "127.0.0.1" || host == "localhost" || host == "::1"
	return host != "" && (parsed.Scheme == "https" || parsed.Scheme == "http" && local)
}

// newHTTPClient makes a client that follows no redirect: it would carry the token to another address.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 2 * time.Minute // after the last byte was sent
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}
}

type uploader struct {
	http    *http.Client
	baseURL string
	// The library form-urlencodes ID and secret for HTTP Basic, as RFC 6749 section 2.3.1 demands.
	credentials clientcredentials.Config
	token       string
}

func (u *uploader) requestToken() error {
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, u.http)
	ctx, cancel := context.WithTimeout(ctx, 35*time.Second)
	defer cancel()
	token, err := u.credentials.Token(ctx)
	var refusal *oauth2.RetrieveError
	var lost *url.Error
	switch {
	case err == nil:
		u.token = token.AccessToken
		return nil
	case errors.As(err, &lost):
		return broken("service", err, "")
	case !errors.As(err, &refusal):
		return errors.New("The service answered without an access token. Check FILE_SYNC_BASE_URL.")
	}
	if err := passing(refusal.Response, "service"); err != nil {
		return err
	}
	return refused("The request for an access token", refusal.Response.StatusCode, refusal.Body)
}

func (u *uploader) requestUploadURL(fileID string) (string, error) {
	fresh := u.token == ""
	if fresh {
		if err := u.requestToken(); err != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 35*time.Second)
	defer cancel()
	address := u.baseURL + "/v0/files/" + url.PathEscape(fileID) + "/sync"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+u.token)
	answer, body, err := u.send(request, "service", "")
	if err != nil {
		return "", err
	}
	if answer.StatusCode == 401 && !fresh {
		// The token expired while the file was sent. The next attempt gets a new token.
		u.token = ""
		return "", retryError{errors.New("The access token has expired."), 0}
	}
	if answer.StatusCode != 200 {
		return "", refused("The upload into file "+fileID, answer.StatusCode, body)
	}
	var content struct {
		Data struct {
			UploadURL string `json:"upload_url"`
		}
	}
	if json.Unmarshal(body, &content) != nil || !isEncryptedOrLocal(content.Data.UploadURL) {
		return "", errors.New("The service answered without an encrypted upload URL. Check FILE_SYNC_BASE_URL.")
	}
	return content.Data.UploadURL, nil
}

// send reads the whole answer. After a broken connection, 429 or 5xx, another attempt may help.
func (u *uploader) send(request *http.Request, what, doubt string) (*http.Response, []byte, error) {
	answer, err := u.http.Do(request)
	if err != nil {
		return nil, nil, broken(what, err, doubt)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return nil, nil, broken(what, err, doubt)
	}
	return answer, body, passing(answer, what)
}

// put streams the file to the upload URL, which is signed: no token and no credentials go there.
func (u *uploader) put(address, path string, size int64) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var content io.Reader = file
	if size == 0 {
		content = http.NoBody // a length of 0 with another body means that the length is unknown
	}
	request, err := http.NewRequest(http.MethodPut, address, content)
	if err != nil {
		return errors.New("The upload URL cannot be used. Give this message to the operator.")
	}
	request.ContentLength = size // without it the body is chunked, which the storage refuses with 411
	request.Header.Set("Content-Type", "application/octet-stream")
	request.Header.Set("Expect", "100-continue") // a refusal comes before the bytes are sent
	answer, body, err := u.send(request, "storage", " The file may be stored all the same.")
	if err != nil {
		if facts, failure := os.Stat(path); failure != nil || facts.Size() != size {
			return fmt.Errorf("%s was changed while it was read. Try again when it is complete.", path)
		}
		return err
	}
	return judge(answer.StatusCode, string(body))
}

// judge decides whether the bytes are stored, another attempt may help, or neither.
func judge(status int, body string) error {
	if status >= 200 && status < 300 {
		return nil
	}
	if status == 412 {
		return errors.New("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.")
	}
	words := fmt.Sprintf("%s (%s)", element(body, "Code"), element(body, "Message"))
	// These pass by themselves, or are cured by a new URL.
	if regexp.MustCompile("^(RequestTimeout|ConditionalRequestConflict|ExpiredToken)|Request has expired").MatchString(words) {
		return retryError{fmt.Errorf("The storage answered %d: %s.", status, words), 0}
	}
	return fmt.Errorf("The storage refused the file with %d: %s. Give this message to the operator.", status, words)
}

func element(body, name string) string {
	if found := regexp.MustCompile("<" + name + ">([^<]*)<").FindStringSubmatch(body); found != nil {
		return found[1]
	}
	return "no " + strings.ToLower(name)
}

// upload gives each attempt an upload URL of its own, because an interrupted attempt may have used up its URL.
func (u *uploader) upload(path string, size int64, fileID string) error {
	for attempt := 1; ; attempt++ {
		quote = ""
		address, err := u.requestUploadURL(fileID)
		if err == nil {
			err = u.put(address, path, size)
		}
		var again retryError
		if !errors.As(err, &again) {
			return err
		}
		if attempt == maximumAttempts {
			return fmt.Errorf("%w Given up after %d attempts. Try again later.", err, attempt)
		}
		if again.wait > 120 {
			return fmt.Errorf("%w It asks to wait %.0f seconds. Try again after that.", err, again.wait)
		}
		// Longer each time, and by chance, so that clients that failed together don't come back together.
		span := float64(int(1) << (attempt - 1))
		wait := max(again.wait, span*(1+rand.Float64())/2)
		fmt.Fprintf(os.Stderr, "%s Trying again in %.1f s.%s\n", err, wait, quote)
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

func run() error {
	if len(os.Args) != 2 || os.Args[1] == "" {
		return usageError{errors.New("Give a path.")}
	}
	path, fileID := os.Args[1], os.Getenv("FILE_SYNC_FILE_ID")
	baseURL := strings.TrimRight(os.Getenv("FILE_SYNC_BASE_URL"), "/")
	clientID, clientSecret := os.Getenv("FILE_SYNC_CLIENT_ID"), os.Getenv("FILE_SYNC_CLIENT_SECRET")
	if baseURL == "" || clientID == "" || clientSecret == "" || fileID == "" {
		return usageError{errors.New("A setting is missing.")}
	}
	if !isEncryptedOrLocal(baseURL) {
		return usageError{errors.New("FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).")}
	}
	facts, err := os.Stat(path)
	if err != nil || !facts.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file.", path)
	}
	size := facts.Size()
	if size > maximumBytes {
		return fmt.Errorf("%s has %d bytes. One upload takes at most %d (5 GiB). Nothing was sent.", path, size, maximumBytes)
	}
	u := uploader{http: newHTTPClient(), baseURL: baseURL, credentials: clientcredentials.Config{
		ClientID: clientID, ClientSecret: clientSecret, TokenURL: baseURL + "/oauth/token",
		Scopes: []string{"sync:create"}, AuthStyle: oauth2.AuthStyleInHeader,
	}}
	if err := u.upload(path, size, fileID); err != nil {
		return err
	}
	fmt.Printf("%s is uploaded into file %s: %d bytes.\n", path, fileID, size)
	return nil
}

func main() {
	err := run()
	var usage usageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "%s\nusage: upload-file PATH\n", err)
		fmt.Fprintln(os.Stderr, "Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID.")
		os.Exit(2)
	case err != nil:
		fmt.Fprintf(os.Stderr, "error: %s%s\n", err, quote)
		os.Exit(1)
	}
}
