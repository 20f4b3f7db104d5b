// Uploads a file with JDK 17 or later: java UploadFile.java PATH
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;

public class UploadFile {
  /** Uploads the content of a path. Retries once, with a new upload URL. */
  public static void uploadFile(String baseUrl, String clientId, String clientSecret,
      String fileId, Path path) throws IOException, InterruptedException {
    var base = baseUrl.replaceFirst("/+$", "");
    var form = BodyPublishers.ofString("grant_type=client_credentials&client_id="
        + encode(clientId) + "&client_secret=" + encode(clientSecret));
    var content = BodyPublishers.ofFile(path); // streams the file, and sends its length
    for (int attempt = 1; ; attempt++) {
      try {
        var token = send("POST", base + "/oauth/token", form,
            "Content-Type", "application/x-www-form-urlencoded");
        var url = send("POST", base + "/v0/files/" + encode(fileId) + "/sync",
            BodyPublishers.noBody(), "Authorization", "Bearer " + token);
        send("PUT", url, content, "Content-Type", "application/octet-stream");
        return;
      } catch (IOException error) {
        if (attempt == 2) throw error;
        Thread.sleep(2000);
      }
    }
  }

  /** Returns the token or the upload URL of the response. A retry solves only an IOException. */
  private static String send(String method, String url, BodyPublisher body, String... header)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url)).method(method, body).headers(header)
        .timeout(Duration.ofMinutes(method.equals("PUT") ? 360 : 1)).build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    var status = response.statusCode();
    var member = "(?s).*\"(access_token|upload_url)\":\"([^\"]*).*";
    if (status < 300) return response.body().replaceFirst(member, "$2");
    var text = method + " got " + status + ": " + response.body();
    if (status == 429 || status >= 500 && status != 501) throw new IOException(text);
    throw new IllegalStateException(text);
  }

  private static String encode(String text) throws IOException {
    return URLEncoder.encode(text, "UTF-8");
  }

  public static void main(String[] arguments) throws Exception {
    var env = System.getenv();
    uploadFile(env.get("FILE_SYNC_BASE_URL"), env.get("FILE_SYNC_CLIENT_ID"),
        env.get("FILE_SYNC_CLIENT_SECRET"), env.get("FILE_SYNC_FILE_ID"), Path.of(arguments[0]));
    System.out.println("Uploaded.");
  }
}
