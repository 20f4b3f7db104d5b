import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.FilesApi;
import org.openapitools.client.api.VolumesApi;
import org.openapitools.client.model.NotFound;

public class Main {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("FILE_SYNC_BASE_URL"));
        var token = new AuthenticationApi(client).createToken(
                "client_credentials", System.getenv("FILE_SYNC_CLIENT_ID"), System.getenv("FILE_SYNC_CLIENT_SECRET"), null);
        client.setRequestInterceptor(
                request -> request.header("Authorization", "Bearer " + token.getAccessToken()));
        var volumes = new VolumesApi(client).listVolumes();
        var files = new FilesApi(client);
        var sync = files.createFileSync(System.getenv("FILE_SYNC_FILE_ID"));
        var put = HttpRequest.newBuilder(URI.create(sync.getData().getUploadUrl().toString()))
                .PUT(HttpRequest.BodyPublishers.ofString("content"))
                .build();
        int status = HttpClient.newHttpClient().send(put, HttpResponse.BodyHandlers.discarding()).statusCode();
        String error = "none";
        try {
            files.createFileSync("no-such-file");
        } catch (ApiException rejected) {
            var body = client.getObjectMapper().readValue(rejected.getResponseBody(), NotFound.class);
            error = body.getError().getValue();
        }
        System.out.println(
                token.getTokenType().getValue() + " " + volumes.getData().size() + " " + status + " " + error);
    }
}
