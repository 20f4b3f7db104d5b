// Uploads a file into a file of the service, with .NET 8 or later.

using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

try
{
    if (args.Length != 2 || args.Contains("")) throw new UsageException("Give a path and a file id.");
    var baseUrl = Setting("FILE_SYNC_BASE_URL").TrimEnd('/');
    var clientId = Setting("FILE_SYNC_CLIENT_ID");
    var clientSecret = Setting("FILE_SYNC_CLIENT_SECRET");
    if (!Uploader.IsEncryptedOrLocal(baseUrl))
        throw new UsageException("FILE_SYNC_BASE_URL must start with https:// (http:// for this machine only).");
    using var uploader = new Uploader(baseUrl, clientId, clientSecret);
    var size = await uploader.UploadAsync(args[0], args[1]);
    Console.WriteLine($"{args[0]} is uploaded into file {args[1]}: {size} bytes.");
    return 0;
}
catch (UsageException error)
{
    Console.Error.WriteLine($"{error.Message}\nusage: UploadFile PATH FILE_ID");
    Console.Error.WriteLine("Set FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET.");
    return 2;
}
catch (FailedException error)
{
    Console.Error.WriteLine($"error: {error.Message}");
    return 1;
}

static string Setting(string name)
{
    var value = Environment.GetEnvironmentVariable(name);
    return string.IsNullOrEmpty(value) ? throw new UsageException($"The setting {name} is missing.") : value;
}

/// <summary>The command line or a setting makes no sense. Nothing was sent.</summary>
sealed class UsageException(string message) : Exception(message);

/// <summary>Another attempt would not help.</summary>
sealed class FailedException(string message) : Exception(message);

/// <summary>Another attempt may help, after so many seconds at least.</summary>
sealed class RetryException(string message, double wait = 0) : Exception(message)
{
    public double Wait { get; } = wait;
}

sealed class Uploader(string baseUrl, string clientId, string clientSecret) : IDisposable
{
    /// <summary>5 GiB: what one PUT takes.</summary>
    const long MaximumBytes = 5_368_709_120;
    const int MaximumAttempts = 5;
    static readonly TimeSpan CallTimeout = TimeSpan.FromSeconds(35);
    /// <summary>For the whole transfer. Raise it if 5 GiB take longer on your line.</summary>
    static readonly TimeSpan TransferTimeout = TimeSpan.FromHours(2);

    static readonly Dictionary<string, string> Advice = new()
    {
        ["invalid_client"] = "Check FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or ask the operator for a new secret.",
        ["invalid_scope"] = "Ask the operator to allow this client the scope sync:create.",
        ["insufficient_scope"] = "Ask the operator to allow this client the scope sync:create.",
        ["not_found"] = "Check the file id. The file must belong to the client's organisation.",
        ["sync_not_enabled"] = "Ask the operator to enable syncing for this file.",
    };

    // A redirect would carry the token to another address. Each request has a timeout of its own.
    readonly HttpClient http = new(new SocketsHttpHandler
    {
        AllowAutoRedirect = false,
        ConnectTimeout = TimeSpan.FromSeconds(10),
    })
    { Timeout = Timeout.InfiniteTimeSpan };

    string? token;

    public void Dispose() => http.Dispose();

    /// <summary>
    /// Uploads the file and returns its size. Each attempt asks for an upload URL of its own, because an interrupted one
    /// may be used up.
    /// </summary>
    public async Task<long> UploadAsync(string path, string fileId)
    {
        if (!File.Exists(path)) throw new FailedException($"{path} is not a file.");
        var size = new FileInfo(path).Length;
        if (size > MaximumBytes)
            throw new FailedException($"{path} has {size} bytes. One upload takes at most {MaximumBytes} (5 GiB). Nothing was sent.");
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await PutAsync(await RequestUploadUrlAsync(fileId), path, size);
                return size;
            }
            catch (RetryException retry)
            {
                if (attempt == MaximumAttempts)
                    throw new FailedException($"{retry.Message} Given up after {attempt} attempts. Try again later.");
                if (retry.Wait > 120)
                    throw new FailedException($"{retry.Message} It asks to wait {retry.Wait:F0} seconds. Try again after that.");
                // Longer each time, and by chance, so that clients that failed together don't come back together.
                var span = Math.Pow(2, attempt - 1);
                var wait = Math.Max(retry.Wait, span * (1 + Random.Shared.NextDouble()) / 2);
                Console.Error.WriteLine($"{retry.Message} Trying again in {wait:F1} s.");
                await Task.Delay(TimeSpan.FromSeconds(wait));
            }
        }
    }

    async Task<string> RequestTokenAsync()
    {
        // RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined.
        var pair = $"{WebUtility.UrlEncode(clientId)}:{WebUtility.UrlEncode(clientSecret)}";
        using var request = new HttpRequestMessage(HttpMethod.Post, $"{baseUrl}/oauth/token");
        request.Headers.Authorization =
            new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(pair)));
        request.Content = new FormUrlEncodedContent(new Dictionary<string, string>
        {
            ["grant_type"] = "client_credentials",
            ["scope"] = "sync:create",
        });
        var (status, body) = await SendAsync(request, "service", CallTimeout);
        if (status != 200) throw Refused("The request for an access token", status, body);
        return Member(body, "access_token")
            ?? throw new FailedException("The service answered without an access token. Check FILE_SYNC_BASE_URL.");
    }

    async Task<string> RequestUploadUrlAsync(string fileId)
    {
        var isFresh = token is null;
        token ??= await RequestTokenAsync();
        var url = $"{baseUrl}/v0/files/{Uri.EscapeDataString(fileId)}/sync";
        using var request = new HttpRequestMessage(HttpMethod.Post, url);
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        var (status, body) = await SendAsync(request, "service", CallTimeout);
        if (status == 401 && !isFresh)
        {
            // The token expired while the file was sent. A new one is the way to refresh it.
            token = null;
            throw new RetryException("The access token has expired.");
        }
        if (status != 200) throw Refused($"The upload into file {fileId}", status, body);
        return Member(body, "data", "upload_url")
            ?? throw new FailedException("The service answered without an upload URL. Check FILE_SYNC_BASE_URL.");
    }

    /// <summary>Streams the file to the upload URL, which is signed: no token and no credentials go there.</summary>
    async Task PutAsync(string url, string path, long size)
    {
        if (!IsEncryptedOrLocal(url)) throw new FailedException("The upload URL is not encrypted. Nothing was sent to it.");
        await using var file = OpenForReading(path);
        using var request = new HttpRequestMessage(HttpMethod.Put, url);
        request.Content = new StreamContent(file);
        // With a length the body is not chunked, which the storage would refuse with 411.
        request.Content.Headers.ContentLength = size;
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        // A refusal comes before the bytes are sent.
        request.Headers.ExpectContinue = true;
        try
        {
            var (status, body) = await SendAsync(request, "storage", TransferTimeout, " The file may be stored all the same.");
            Judge(status, body);
        }
        catch (RetryException) when (new FileInfo(path).Length != size)
        {
            throw new FailedException($"{path} was changed while it was read. Try again when it is complete.");
        }
    }

    static FileStream OpenForReading(string path)
    {
        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 1 << 16, useAsync: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new FailedException($"{path} cannot be read: {error.Message}");
        }
    }

    /// <summary>Decides whether the bytes are stored, another attempt may help, or neither.</summary>
    static void Judge(int status, string body)
    {
        if (status is >= 200 and < 300) return;
        if (status == 412)
            throw new FailedException("The upload URL was used already, or an operator has cancelled it. Run this again for a new URL.");
        var words = $"{Element(body, "Code")} ({Element(body, "Message")})";
        // These pass by themselves, or are cured by a new URL.
        if (Regex.IsMatch(words, "^(RequestTimeout|ConditionalRequestConflict|ExpiredToken)|Request has expired"))
            throw new RetryException($"The storage answered {status}: {words}.");
        throw new FailedException($"The storage refused the file with {status}: {words}. Give this message to the operator.");
    }

    /// <summary>Reads the whole answer. A broken connection, 429 and 5xx are worth another attempt.</summary>
    async Task<(int Status, string Body)> SendAsync(HttpRequestMessage request, string what, TimeSpan timeout, string doubt = "")
    {
        using var limit = new CancellationTokenSource(timeout);
        try
        {
            using var answer = await http.SendAsync(request, limit.Token);
            var status = (int)answer.StatusCode;
            if (status != 429 && status < 500) return (status, await answer.Content.ReadAsStringAsync(limit.Token));
            throw new RetryException($"The {what} answered {status}.", answer.Headers.RetryAfter?.Delta?.TotalSeconds ?? 0);
        }
        catch (OperationCanceledException)
        {
            throw new RetryException($"The connection to the {what} broke: nothing came back in time.{doubt}");
        }
        catch (HttpRequestException error)
        {
            throw new RetryException($"The connection to the {what} broke: {error.GetBaseException().Message}.{doubt}");
        }
    }

    /// <summary>Explains a refusal in the service's own words, and says what to do.</summary>
    static FailedException Refused(string what, int status, string body)
    {
        var code = Member(body, "error") ?? Member(body, "message") ?? "no reason was given";
        var description = Member(body, "error_description") ?? "no description";
        var next = Advice.GetValueOrDefault(code, "Check FILE_SYNC_BASE_URL, or give this message to the operator.");
        return new FailedException($"{what} was refused with {status}: {code} ({description}). {next}");
    }

    /// <summary>A text member of a JSON answer, or null.</summary>
    static string? Member(string body, params string[] names)
    {
        try
        {
            using var document = JsonDocument.Parse(body);
            var element = document.RootElement;
            foreach (var name in names)
            {
                if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty(name, out var inner)) return null;
                element = inner;
            }
            return element.ValueKind == JsonValueKind.String ? element.GetString() : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>An element of the storage's XML answer.</summary>
    static string Element(string body, string name)
    {
        var found = Regex.Match(body, $"<{name}>([^<]*)<");
        return found.Success ? found.Groups[1].Value : $"no {name.ToLowerInvariant()}";
    }

    public static bool IsEncryptedOrLocal(string url) =>
        Uri.TryCreate(url, UriKind.Absolute, out var uri)
        && (uri.Scheme == Uri.UriSchemeHttps || (uri.Scheme == Uri.UriSchemeHttp && uri.IsLoopback));
}
