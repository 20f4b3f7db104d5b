// Uploads a file into a file of the service, with JDK 17 or later: java UploadFile.java PATH

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

public final class UploadFile {
    /**
     * Another attempt may help, after so many seconds at least. After another IOException, it would not. An
     * IllegalArgumentException: the command line or a setting makes no sense, and nothing was sent.
     */
    static class RetryException extends IOException {
        final long wait;

        RetryException(String message, long wait) {
            super(message);
            this.wait = wait;
        }
    }

    record Answer(int status, String body) {}

    /** Follows no redirect: it would carry the token to another address. The storage speaks HTTP/1.1. */
    final HttpClient http = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(10))
        .build();
    final String baseUrl = setting("FILE_SYNC_BASE_URL").replaceFirst("/+$", "");
    final String clientId = setting("FILE_SYNC_CLIENT_ID");
    final String clientSecret = setting("FILE_SYNC_CLIENT_SECRET");
    final String fileId = setting("FILE_SYNC_FILE_ID");
    String token;
    /** Never shown, whoever sends them. */
    final List<String> secrets = new ArrayList<>();
    /** The ids of the last request to the service, and of the PUT after it. */
    static String quote = "";

    UploadFile() {
        if (!isEncryptedOrLocal(baseUrl)) {
            throw new IllegalArgumentException("FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).");
        }
    }

    /** Each attempt asks for an upload URL of its own, because an interrupted attempt may have used up its URL. */
    void upload(File file, long size) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                put(requestUploadUrl(), file, size);
                return;
            } catch (RetryException retry) {
                String reason = retry.getMessage();
                if (attempt == 5) throw new IOException(reason + " Given up after 5 attempts. Try again later.");
                if (retry.wait > 120) {
                    throw new IOException(reason + " It asks to wait " + retry.wait + " seconds. Try again after that.");
                }
                // Longer each time, and by chance, so that clients that failed together don't come back together.
                int span = 1 << (attempt - 1);
                double wait = Math.max(retry.wait, span * (1 + Math.random()) / 2);
                System.err.printf("%s Trying again in %.1f s.%s%n", reason, wait, quote);
                Thread.sleep((long) (wait * 1000));
            }
        }
    }

    void requestToken() throws IOException, InterruptedException {
        // RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
        String secret = URLEncoder.encode(clientSecret, UTF_8);
        String pair = URLEncoder.encode(clientId, UTF_8) + ":" + secret;
        String basic = Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
        secrets.addAll(List.of(clientSecret, secret, basic));
        Answer answer = send("service", HttpRequest.newBuilder(URI.create(baseUrl + "/oauth/token"))
            .header("Authorization", "Basic " + basic)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials&scope=sync%3Acreate")));
        token = required(answer, "The request for an access token", "access_token", "[\\w.~+/=-]+");
        secrets.add(token);
    }

    String requestUploadUrl() throws IOException, InterruptedException {
        boolean isFresh = token == null;
        if (isFresh) requestToken();
        String encoded = URLEncoder.encode(fileId, UTF_8).replace("+", "%20");
        Answer answer = send("service", HttpRequest.newBuilder(URI.create(baseUrl + "/v0/files/" + encoded + "/sync"))
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.noBody()));
        if (answer.status() == 401 && !isFresh) {
            // The token expired while the file was sent. The next attempt gets a new token.
            token = null;
            throw new RetryException("The access token has expired.", 0);
        }
        return required(answer, "The upload into file " + fileId, "upload_url", "[!-~]+");
    }

    /** Streams the file to the upload URL, which is signed: no token and no credentials go there. */
    void put(String url, File file, long size) throws IOException, InterruptedException {
        if (!isEncryptedOrLocal(url)) {
            throw new IOException("The upload URL is not encrypted. Nothing was sent to it.");
        }
        secrets.add(url.substring(url.indexOf('?') + 1));
        try {
            // ofFile streams and sends a Content-Length. The storage rejects a chunked body with 501.
            judge(send("storage", HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/octet-stream")
                .PUT(HttpRequest.BodyPublishers.ofFile(file.toPath()))));
        } catch (RetryException retry) {
            if (file.length() == size) throw retry;
            throw new IOException(file + " was changed while it was read. Try again when it is complete.");
        } catch (IllegalArgumentException error) {
            throw new IOException("The upload URL cannot be used. Give this message to the operator.");
        }
    }

    /** Decides whether the bytes are stored, another attempt may help, or neither. */
    void judge(Answer answer) throws IOException {
        int status = answer.status();
        if (status / 100 == 2) return;
        if (status == 412) {
            throw new IOException("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.");
        }
        String words = find(answer, "<Code>([^<]*)<") + " (" + find(answer, "<Message>([^<]*)<") + ")";
        String reason = "The storage rejected the file with " + status + ": " + shown(words) + ".";
        // These pass by themselves, or are cured by a new URL.
        if (words.matches("(?s)(RequestTimeout|ConditionalRequestConflict|ExpiredToken).*|.*Request has expired.*")) {
            throw new RetryException(reason, 0);
        }
        throw new IOException(reason + " Give this message to the operator.");
    }

    /** Reads 1 MiB of a response, for 5 s after it began. So a request to the service ends within 35 s. */
    Answer send(String what, HttpRequest.Builder request) throws IOException, InterruptedException {
        boolean isService = what.equals("service");
        if (isService) quote = "";
        HttpResponse<InputStream> answer;
        String body;
        try {
            // A response of the service begins within 30 s. A PUT has a second more for each 50 kB: lower that for a line below 0.4 Mbit/s.
            long bytes = request.build().bodyPublisher().orElseThrow().contentLength();
            request.timeout(Duration.ofSeconds((isService ? 30 : 120) + bytes / 50_000));
            answer = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream stream = answer.body()) {
                CompletableFuture.delayedExecutor(5, SECONDS).execute(() -> close(stream));
                body = new String(stream.readNBytes(1 << 20), UTF_8);
            }
        } catch (IOException error) {
            // Some of these errors have no message.
            String reason = shown(error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage());
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (cause instanceof CertificateException) throw new IOException("The certificate of the " + what + " is not trusted: " + reason + ".");
            }
            String doubt = isService ? "" : " The file may be stored all the same.";
            throw new RetryException("The connection to the %s broke: %s.%s".formatted(what, reason, doubt), 0);
        }
        // Another side wrote the id, so a text that does not look like an id is left out.
        String id = answer.headers().firstValue(isService ? "apigw-requestid" : "x-amz-request-id").orElse("");
        if (id.matches("[\\w=-]{1,32}")) quote += " Quote request id " + shown(id) + " of the " + what + " to the operator.";
        int status = answer.statusCode();
        String reason = "The " + what + " responded with " + status + ".";
        // A 501 is final: the storage does not support a header of the PUT.
        if (status == 429 || status >= 500 && status != 501) {
            String asked = answer.headers().firstValue("Retry-After").orElse("");
            throw new RetryException(reason, asked.matches("\\d{1,12}") ? Long.parseLong(asked) : 0);
        }
        if (status / 100 == 3) throw new IOException(reason + " This is a redirect, which is not followed. Check FILE_SYNC_BASE_URL.");
        return new Answer(status, body);
    }

    void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException error) {
            // It was closed before.
        }
    }

    /** What another side wrote, fit for a terminal and a log. No word is as long as a secret, a token or a signature. */
    String shown(String text) {
        if (secrets.stream().anyMatch(text::contains)) return "(a secret, not shown)";
        return "%.200s".formatted(text.replaceAll("[^ -~]", "?").replaceAll("\\S{40,}", "..."));
    }

    /** A member that is fit for a header or a URL. Explains a rejection in the service's own words, and says what to do. */
    String required(Answer answer, String what, String name, String pattern) throws IOException {
        String value = member(answer, name);
        if (answer.status() != 200) {
            String code = member(answer, "error|message");
            String next = switch (code) {
                case "invalid_client" -> "Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.";
                case "invalid_scope", "insufficient_scope" -> "Ask the operator to allow this client the scope sync:create.";
                case "not_found" -> "Check the file id. The file must belong to the client's organisation.";
                case "sync_not_enabled" -> "Ask the operator to enable syncing for this file.";
                default -> "Check FILE_SYNC_BASE_URL, or give this message to the operator.";
            };
            throw new IOException("%s was rejected with %d: %s (%s). %s".formatted(
                what, answer.status(), shown(code), shown(member(answer, "error_description")), next));
        }
        if (value.matches(pattern)) return value;
        throw new IOException("What answers at FILE_SYNC_BASE_URL is not a file-sync service: it gave no " + name + ". Check FILE_SYNC_BASE_URL.");
    }

    /** A text member of a JSON answer. The JDK reads no JSON, and none of these texts needs escapes. */
    String member(Answer answer, String name) {
        return find(answer, "\"(?:" + name + ")\"\\s*:\\s*\"([^\"\\\\]*)\"");
    }

    /** The one part of the response that the pattern finds. Several are none: nobody can say which one is meant. */
    String find(Answer answer, String pattern) {
        var found = Pattern.compile(pattern).matcher(answer.body()).results().map(result -> result.group(1)).toList();
        return found.size() == 1 ? found.get(0) : "none given";
    }

    /** Without TLS, this machine speaks to itself only. */
    boolean isEncryptedOrLocal(String url) {
        return url.startsWith("https:") || baseUrl.startsWith("http:") && url.matches("http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:\\d+)?(/.*)?");
    }

    String setting(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) throw new IllegalArgumentException("The setting " + name + " is missing.");
        return value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        try {
            if (arguments.length != 1 || arguments[0].isEmpty()) throw new IllegalArgumentException("Give a path.");
            var uploader = new UploadFile();
            File file = new File(arguments[0]);
            if (!file.isFile()) throw new IOException(file + " is not a file.");
            long size = file.length();
            if (size > 5_368_709_120L) {
                throw new IOException(file + " has " + size + " bytes. One upload takes at most 5368709120 (5 GiB). Nothing was sent.");
            }
            uploader.upload(file, size);
            System.out.printf("%s is uploaded into file %s: %d bytes.%n", file, uploader.fileId, size);
        } catch (IllegalArgumentException error) {
            System.err.println(error.getMessage() + "\nusage: java UploadFile.java PATH\n"
                + "Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID.");
            System.exit(2);
        } catch (IOException error) {
            System.err.println("error: " + error.getMessage() + quote);
            System.exit(1);
        }
    }
}
