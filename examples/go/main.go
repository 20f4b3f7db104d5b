// Uploads a file into a file of the service, with Go 1.25 or later.
package main

import (
	"context"
	"crypto/tls"
	"encoding/base64"
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

// secrets are never shown, whoever sends them.
var secrets []string

// shown is what another side wrote, fit for a terminal and a log. No word is as long as a secret or a signature.
func shown(text string) string {
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			return "(a secret, not shown)"
		}
	}
	text = regexp.MustCompile("[^ -~]").ReplaceAllString(text, "?")
	text = regexp.MustCompile(`\S{40,}`).ReplaceAllString(text, "...")
	return text[:min(len(text), 200)]
}

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
	reason := shown(err.Error())
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return fmt.Errorf("The certificate of the %s is not trusted: %s.", what, reason)
	}
	return retryError{fmt.Errorf("The connection to the %s broke: %s.%s", what, reason, doubt), 0}
}

// passing returns an error for an answer after which another attempt may help. It adds the id of the answer to quote.
func passing(answer *http.Response, what string) error {
	// Another side wrote the id, so a text that does not look like an id is left out.
	id := answer.Header.Get("apigw-requestid") + answer.Header.Get("x-amz-request-id")
	if regexp.MustCompile(`^[\w=-]{1,32}$`).MatchString(id) {
		quote += fmt.Sprintf(" Quote request id %s of the %s to the operator.", shown(id), what)
	}
	reason := fmt.Errorf("The %s answered %d.", what, answer.StatusCode)
	switch {
	case answer.StatusCode == 429 || answer.StatusCode >= 500:
		return retryError{reason, secondsOf(answer.Header.Get("Retry-After"))}
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		return fmt.Errorf("%w This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL.", reason)
	}
	return nil
}

// secondsOf reads seconds or a date (RFC 9110 section 10.2.3).
func secondsOf(asked string) float64 {
	if date, err := http.ParseTime(asked); err == nil {
		return time.Until(date).Seconds()
	}
	seconds, _ := strconv.ParseUint(asked, 10, 40)
	return float64(seconds)
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
	return fmt.Errorf("%s was refused with %d: %s (%s). %s", what, status, shown(words.Error+words.Message), shown(words.Description), next)
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

// foreign is the error for a success that is not as the service answers.
func foreign(name string) error {
	return fmt.Errorf("What answers at FILE_SYNC_BASE_URL is not a file-sync service: it gave no %s. Check FILE_SYNC_BASE_URL.", name)
}

type uploader struct {
	http                            *http.Client
	baseURL, clientID, clientSecret string
	token                           string
}

func (u *uploader) requestToken() error {
	form := strings.NewReader("grant_type=client_credentials&scope=sync%3Acreate")
	request, err := http.NewRequest(http.MethodPost, u.baseURL+"/oauth/token", form)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	// RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
	id, secret := url.QueryEscape(u.clientID), url.QueryEscape(u.clientSecret)
	request.SetBasicAuth(id, secret)
	secrets = []string{u.clientSecret, secret, base64.StdEncoding.EncodeToString([]byte(id + ":" + secret))}
	answer, body, err := u.send(request, "service", "")
	if err != nil {
		return err
	}
	if answer.StatusCode != 200 {
		return refused("The request for an access token", answer.StatusCode, body)
	}
	var content struct {
		Token string `json:"access_token"`
	}
	if json.Unmarshal(body, &content) != nil || !regexp.MustCompile(`^[\w.~+/=-]+$`).MatchString(content.Token) {
		return foreign("access_token")
	}
	u.token = content.Token
	secrets = append(secrets, u.token)
	return nil
}

func (u *uploader) requestUploadURL(fileID string) (string, error) {
	fresh := u.token == ""
	if fresh {
		if err := u.requestToken(); err != nil {
			return "", err
		}
		quote = ""
	}
	request, err := http.NewRequest(http.MethodPost, u.baseURL+"/v0/files/"+url.PathEscape(fileID)+"/sync", nil)
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
	if json.Unmarshal(body, &content) != nil || !regexp.MustCompile("^https?://[!-~]+$").MatchString(content.Data.UploadURL) {
		return "", foreign("upload_url")
	}
	return content.Data.UploadURL, nil
}

// send reads the whole answer. After a broken connection, 429 or 5xx, another attempt may help.
func (u *uploader) send(request *http.Request, what, doubt string) (*http.Response, []byte, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if what == "service" {
		defer time.AfterFunc(35*time.Second, cancel).Stop()
	}
	answer, err := u.http.Do(request.WithContext(ctx))
	if err != nil {
		return nil, nil, broken(what, err, doubt)
	}
	defer answer.Body.Close()
	defer time.AfterFunc(35*time.Second, cancel).Stop()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return nil, nil, broken(what, err, doubt)
	}
	return answer, body, passing(answer, what)
}

// put streams the file to the upload URL, which is signed: no token and no credentials go there.
func (u *uploader) put(address, path string, size int64) error {
	// http goes from this machine to this machine only.
	if !isEncryptedOrLocal(address) || strings.HasPrefix(address, "http:") && !strings.HasPrefix(u.baseURL, "http:") {
		return errors.New("The upload URL is not encrypted. Nothing was sent to it.")
	}
	if _, query, signed := strings.Cut(address, "?"); signed && query != "" {
		secrets = append(secrets, query)
	}
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
		return retryError{fmt.Errorf("The storage answered %d: %s.", status, shown(words)), 0}
	}
	return fmt.Errorf("The storage refused the file with %d: %s. Give this message to the operator.", status, shown(words))
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
	u := uploader{http: newHTTPClient(), baseURL: baseURL, clientID: clientID, clientSecret: clientSecret}
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
