// Uploads a file into a file of the service, with JDK 17 or later: java UploadFile.java PATH

import java.io.IOException;
import java.io.InputStream;
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
import java.security.cert.CertificateException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

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

    record Answer(int status, String body) {}

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
    static final List<String> SECRETS = new ArrayList<>();
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
        String basic = Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
        SECRETS.clear();
        SECRETS.addAll(List.of(clientSecret, URLEncoder.encode(clientSecret, UTF_8), basic));
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/oauth/token"))
            .timeout(CALL_TIMEOUT)
            .header("Authorization", "Basic " + basic)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("grant_type=client_credentials&scope=sync%3Acreate"))
            .build();
        Answer answer = send(request, "service", "");
        if (answer.status() != 200) throw refused("The request for an access token", answer);
        String token = required(answer.body(), "access_token", "[\\w.~+/=-]+");
        SECRETS.add(token);
        return token;
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
        Answer answer = send(request, "service", "");
        if (answer.status() == 401 && !isFresh) {
            // The token expired while the file was sent. The next attempt gets a new token.
            token = null;
            throw new RetryException("The access token has expired.", 0);
        }
        if (answer.status() != 200) throw refused("The upload into file " + fileId, answer);
        return required(answer.body(), "upload_url", "https?://[!#-\\[\\]-~]+");
    }

    /** Streams the file to the upload URL, which is signed: no token and no credentials go there. */
    void put(String url, Path path, long size) throws FailedException, RetryException, InterruptedException {
        // http goes from this machine to this machine only.
        if (!isEncryptedOrLocal(url) || url.startsWith("http:") && !baseUrl.startsWith("http:")) throw new FailedException("The upload URL is not encrypted. Nothing was sent to it.");
        SECRETS.add(url.substring(url.indexOf('?') + 1));
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
    static void judge(Answer answer) throws FailedException, RetryException {
        int status = answer.status();
        if (status >= 200 && status < 300) return;
        if (status == 412) {
            throw new FailedException("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.");
        }
        String words = find("<Code>([^<]*)<", answer.body(), "no code") + " (" + find("<Message>([^<]*)<", answer.body(), "no message") + ")";
        // These pass by themselves, or are cured by a new URL.
        if (find("(^RequestTimeout|^ConditionalRequestConflict|^ExpiredToken|Request has expired)", words, null) != null) {
            throw new RetryException("The storage answered " + status + ": " + shown(words) + ".", 0);
        }
        throw new FailedException("The storage refused the file with " + status + ": " + shown(words) + ". Give this message to the operator.");
    }

    /** Reads 1 MiB of an answer. A request to the service gets it within 35 s, a PUT within 35 s of its first byte. */
    Answer send(HttpRequest request, String what, String doubt) throws FailedException, RetryException, InterruptedException {
        if (what.equals("service")) quote = "";
        long start = System.nanoTime();
        HttpResponse<InputStream> answer;
        String body;
        try {
            answer = http.send(request, BodyHandlers.ofInputStream());
            long spent = what.equals("service") ? System.nanoTime() - start : 0;
            try (InputStream stream = answer.body()) {
                CompletableFuture.delayedExecutor(CALL_TIMEOUT.toNanos() - spent, NANOSECONDS).execute(() -> close(stream));
                body = new String(stream.readNBytes(1 << 20), UTF_8);
            }
        } catch (IOException error) {
            // Some of these errors have no message.
            String reason = shown(error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage());
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (cause instanceof CertificateException) throw new FailedException("The certificate of the " + what + " is not trusted: " + reason + ".");
            }
            throw new RetryException("The connection to the " + what + " broke: " + reason + "." + doubt, 0);
        }
        // Another side wrote the id, so a text that does not look like an id is left out.
        String id = answer.headers().firstValue(what.equals("service") ? "apigw-requestid" : "x-amz-request-id").orElse("");
        if (id.matches("[\\w=-]{1,32}")) quote += " Quote request id " + shown(id) + " of the " + what + " to the operator.";
        int status = answer.statusCode();
        String reason = "The " + what + " answered " + status + ".";
        if (status == 429 || status >= 500) throw new RetryException(reason, secondsOf(answer.headers().firstValue("Retry-After").orElse("")));
        if (status >= 300 && status < 400) throw new FailedException(reason + " This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL.");
        return new Answer(status, body);
    }

    static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException error) {
            // It was closed before.
        }
    }

    /** Seconds or a date (RFC 9110 section 10.2.3). */
    static long secondsOf(String asked) {
        if (asked.matches("\\d{1,12}")) return Long.parseLong(asked);
        try {
            return Duration.between(Instant.now(), ZonedDateTime.parse(asked, DateTimeFormatter.RFC_1123_DATE_TIME)).toSeconds();
        } catch (DateTimeException error) {
            return 0;
        }
    }

    /** What another side wrote, fit for a terminal and a log. No word is as long as a secret, a token or a signature. */
    static String shown(String text) {
        if (SECRETS.stream().anyMatch(text::contains)) return "(a secret, not shown)";
        String clean = text.replaceAll("[^ -~]", "?").replaceAll("\\S{40,}", "...");
        return clean.substring(0, Math.min(clean.length(), 200));
    }

    /** Explains a refusal in the service's own words, and says what to do. */
    static FailedException refused(String what, Answer answer) {
        String code = member(answer.body(), "error", member(answer.body(), "message", "no reason was given"));
        String description = member(answer.body(), "error_description", "no description");
        String next = ADVICE.getOrDefault(code, "Check FILE_SYNC_BASE_URL, or give this message to the operator.");
        return new FailedException(what + " was refused with " + answer.status() + ": " + shown(code) + " (" + shown(description) + "). " + next);
    }

    /** A member that is fit for a header or a URL. */
    static String required(String json, String name, String pattern) throws FailedException {
        String value = member(json, name, "");
        if (value.matches(pattern)) return value;
        throw new FailedException("What answers at FILE_SYNC_BASE_URL is not a file-sync service: it gave no " + name + ". Check FILE_SYNC_BASE_URL.");
    }

    /** A text member of a JSON answer. The JDK reads no JSON, and none of these texts needs escapes. */
    static String member(String json, String name, String otherwise) {
        return find("\"" + name + "\"\\s*:\\s*\"([^\"\\\\]*)\"", json, otherwise);
    }

    /** The one part of the text that the pattern finds. Several are none: nobody can say which one is meant. */
    static String find(String pattern, String text, String otherwise) {
        var matcher = Pattern.compile(pattern).matcher(text);
        List<String> found = matcher.results().map(result -> result.group(1)).toList();
        return found.size() == 1 ? found.get(0) : otherwise;
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
