// Uploads a file into a file of the service, with JDK 17 or later: java UploadFile.java PATH

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

public final class UploadFile {
    /** 5 GiB: what one PUT takes. */
    static final long MAXIMUM_BYTES = 5_368_709_120L;
    static final int MAXIMUM_ATTEMPTS = 5;
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(35);
    /** For the whole transfer. Raise it if 5 GiB take longer on your line. */
    static final Duration TRANSFER_TIMEOUT = Duration.ofHours(2);

    static final Map<String, String> ADVICE = Map.of(
        "invalid_client", "Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.",
        "invalid_scope", "Ask the operator to allow this client the scope sync:create.",
        "insufficient_scope", "Ask the operator to allow this client the scope sync:create.",
        "not_found", "Check the file id. The file must belong to the client's organisation.",
        "sync_not_enabled", "Ask the operator to enable syncing for this file.");

    /** The command line or a setting makes no sense. Nothing was sent. */
    static final class UsageException extends Exception {
        UsageException(String message) { super(message); }
    }

    /** Another attempt would not help. */
    static final class FailedException extends Exception {
        FailedException(String message) { super(message); }
    }

    /** Another attempt may help, after so many seconds at least. */
    static final class RetryException extends Exception {
        final long wait;

        RetryException(String message, long wait) {
            super(message);
            this.wait = wait;
        }
    }

    /** A redirect would carry the token to another address. The storage speaks HTTP/1.1. */
    final HttpClient http = HttpClient.newBuilder()
        .followRedirects(HttpClient.Redirect.NEVER)
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(10))
        .build();
    final String baseUrl = setting("FILE_SYNC_BASE_URL").replaceFirst("/+$", "");
    final String clientId = setting("FILE_SYNC_CLIENT_ID");
    final String clientSecret = setting("FILE_SYNC_CLIENT_SECRET");
    final String fileId = setting("FILE_SYNC_FILE_ID");
    String token;
    /** The ids of the last request to the service, and of the PUT after it. */
    static String quote = "";

    UploadFile() throws UsageException {
        if (!isEncryptedOrLocal(baseUrl)) {
            throw new UsageException("FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).");
        }
    }

    /** Each attempt asks for an upload URL of its own, because an interrupted attempt may have used up its URL. */
    void upload(Path path, long size) throws FailedException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                put(requestUploadUrl(), path, size);
                return;
            } catch (RetryException retry) {
                if (attempt == MAXIMUM_ATTEMPTS) {
                    throw new FailedException(retry.getMessage() + " Given up after " + attempt + " attempts. Try again later.");
                }
                if (retry.wait > 120) {
                    throw new FailedException(retry.getMessage() + " It asks to wait " + retry.wait + " seconds. Try again after that.");
                }
                // Longer each time, and by chance, so that clients that failed together don't come back together.
                long span = 1000L << (attempt - 1);
                long wait = Math.max(retry.wait * 1000, ThreadLocalRandom.current().nextLong(span / 2, span));
                System.err.printf("%s Trying again in %.1f s.%s%n", retry.getMessage(), wait / 1000.0, quote);
                Thread.sleep(wait);
            }
        }
    }

    String requestToken() throws FailedException, RetryException, InterruptedException {
        // RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
        String pair = URLEncoder.encode(clientId, UTF_8) + ":" + URLEncoder.encode(clientSecret, UTF_8);
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/oauth/token"))
            .timeout(CALL_TIMEOUT)
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("grant_type=client_credentials&scope=sync%3Acreate"))
            .build();
        HttpResponse<String> answer = send(request, "service", "");
        if (answer.statusCode() != 200) throw refused("The request for an access token", answer);
        return required(answer.body(), "access_token");
    }

    String requestUploadUrl() throws FailedException, RetryException, InterruptedException {
        boolean isFresh = token == null;
        if (isFresh) token = requestToken();
        String encoded = URLEncoder.encode(fileId, UTF_8).replace("+", "%20");
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/v0/files/" + encoded + "/sync"))
            .timeout(CALL_TIMEOUT)
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.noBody())
            .build();
        HttpResponse<String> answer = send(request, "service", "");
        if (answer.statusCode() == 401 && !isFresh) {
            // The token expired while the file was sent. The next attempt gets a new token.
            token = null;
            throw new RetryException("The access token has expired.", 0);
        }
        if (answer.statusCode() != 200) throw refused("The upload into file " + fileId, answer);
        return required(answer.body(), "upload_url");
    }

    /** Streams the file to the upload URL, which is signed: no token and no credentials go there. */
    void put(String url, Path path, long size) throws FailedException, RetryException, InterruptedException {
        if (!isEncryptedOrLocal(url)) throw new FailedException("The upload URL is not encrypted. Nothing was sent to it.");
        try {
            // ofFile streams and sends a Content-Length. A chunked body would be refused with 411.
            BodyPublisher content = size == 0 ? BodyPublishers.noBody() : BodyPublishers.ofFile(path);
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(TRANSFER_TIMEOUT)
                .header("Content-Type", "application/octet-stream")
                .PUT(content)
                .build();
            judge(send(request, "storage", " The file may be stored all the same."));
        } catch (RetryException retry) {
            if (path.toFile().length() == size) throw retry;
            throw new FailedException(path + " was changed while it was read. Try again when it is complete.");
        } catch (IOException error) {
            throw new FailedException(path + " cannot be read: " + error.getMessage() + ".");
        }
    }

    /** Decides whether the bytes are stored, another attempt may help, or neither. */
    static void judge(HttpResponse<String> answer) throws FailedException, RetryException {
        int status = answer.statusCode();
        if (status >= 200 && status < 300) return;
        if (status == 412) {
            throw new FailedException("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.");
        }
        String words = find("<Code>([^<]*)<", answer.body(), "no code") + " (" + find("<Message>([^<]*)<", answer.body(), "no message") + ")";
        // These pass by themselves, or are cured by a new URL.
        if (find("(^RequestTimeout|^ConditionalRequestConflict|^ExpiredToken|Request has expired)", words, null) != null) {
            throw new RetryException("The storage answered " + status + ": " + words + ".", 0);
        }
        throw new FailedException("The storage refused the file with " + status + ": " + words + ". Give this message to the operator.");
    }

    HttpResponse<String> send(HttpRequest request, String what, String doubt) throws RetryException, InterruptedException {
        if (what.equals("service")) quote = "";
        HttpResponse<String> answer;
        try {
            answer = http.send(request, BodyHandlers.ofString());
        } catch (IOException error) {
            // Some of these errors have no message.
            String reason = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
            throw new RetryException("The connection to the " + what + " broke: " + reason + "." + doubt, 0);
        }
        // Another side wrote the id, so a text that does not look like an id is left out.
        String id = answer.headers().firstValue(what.equals("service") ? "apigw-requestid" : "x-amz-request-id").orElse("");
        if (id.matches("[\\w=-]{1,64}")) quote += " Quote request id " + id + " of the " + what + " to the operator.";
        int status = answer.statusCode();
        if (status != 429 && status < 500) return answer;
        String asked = answer.headers().firstValue("Retry-After").filter(value -> value.matches("\\d{1,9}")).orElse("0");
        throw new RetryException("The " + what + " answered " + status + ".", Long.parseLong(asked));
    }

    /** Explains a refusal in the service's own words, and says what to do. */
    static FailedException refused(String what, HttpResponse<String> answer) {
        String code = member(answer.body(), "error", member(answer.body(), "message", "no reason was given"));
        String description = member(answer.body(), "error_description", "no description");
        String next = ADVICE.getOrDefault(code, "Check FILE_SYNC_BASE_URL, or give this message to the operator.");
        return new FailedException(what + " was refused with " + answer.statusCode() + ": " + code + " (" + description + "). " + next);
    }

    static String required(String json, String name) throws FailedException {
        String value = member(json, name, null);
        if (value == null) throw new FailedException("The service answered without " + name + ". Check FILE_SYNC_BASE_URL.");
        return value;
    }

    /** A text member of a JSON answer. The JDK reads no JSON, and none of these texts needs escapes. */
    static String member(String json, String name, String otherwise) {
        return find("\"" + name + "\"\\s*:\\s*\"([^\"\\\\]*)\"", json, otherwise);
    }

    static String find(String pattern, String text, String otherwise) {
        var matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }

    static boolean isEncryptedOrLocal(String url) {
        try {
            URI uri = URI.create(url);
            if (uri.getHost() == null) return false;
            boolean isLocal = List.of("127.0.0.1", "localhost", "[::1]").contains(uri.getHost());
            return "https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && isLocal;
        } catch (IllegalArgumentException error) {
            return false;
        }
    }

    static String setting(String name) throws UsageException {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) throw new UsageException("The setting " + name + " is missing.");
        return value;
    }

    static void run(String[] arguments) throws UsageException, FailedException, InterruptedException {
        if (arguments.length != 1 || arguments[0].isEmpty()) throw new UsageException("Give a path.");
        var uploader = new UploadFile();
        Path path = Path.of(arguments[0]);
        if (!Files.isRegularFile(path)) throw new FailedException(path + " is not a file.");
        long size = path.toFile().length();
        if (size > MAXIMUM_BYTES) {
            throw new FailedException(path + " has " + size + " bytes. One upload takes at most " + MAXIMUM_BYTES + " (5 GiB). Nothing was sent.");
        }
        uploader.upload(path, size);
        System.out.println(path + " is uploaded into file " + uploader.fileId + ": " + size + " bytes.");
    }

    public static void main(String[] arguments) throws InterruptedException {
        try {
            run(arguments);
        } catch (UsageException error) {
            System.err.println(error.getMessage() + "\nusage: java UploadFile.java PATH");
            System.err.println("Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID.");
            System.exit(2);
        } catch (FailedException error) {
            System.err.println("error: " + error.getMessage() + quote);
            System.exit(1);
        }
    }
}
