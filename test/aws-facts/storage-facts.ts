import { type AwsFact, heldBy, nothing, page, recording } from './fact.ts';

const uploadUrl = (title: string) => heldBy('emulator/s3/upload-url.test.ts', title);
const objects = (title: string) => heldBy('emulator/s3/objects.test.ts', title);
const recorded = (title: string) => heldBy('emulator/s3/recorded.test.ts', title);
const checksums = (title: string) => heldBy('emulator/s3/checksums.test.ts', title);
const events = (title: string) => heldBy('emulator/events/events.test.ts', title);

/** S3, and the events of its objects. */
export const storageFacts: readonly AwsFact[] = [
  {
    id: 's3-if-none-match-query',
    service: 'S3',
    behaviour: '`If-None-Match=*` in the query of a presigned PUT counts like the header: 200, then 412',
    basis: recording.s3('TestS3PresignedUrl::test_pre_signed_url_if_none_match'),
    heldBy: uploadUrl('answers the second PUT with 412 PreconditionFailed and keeps the first content'),
    verify: true,
  },
  {
    id: 's3-if-none-match-versioned',
    service: 'S3',
    behaviour:
      'In a versioned bucket the condition looks at the newest version, and a delete marker opens the key again',
    basis: recording.s3Api('TestS3ObjectWritePrecondition::test_put_object_if_none_match_versioned_bucket'),
    heldBy: objects('keeps every version, hides a deleted object, and a delete opens the key again'),
    verify: false,
  },
  {
    id: 's3-if-none-match-value',
    service: 'S3',
    behaviour: 'A PUT with a value of `If-None-Match` other than `*` is refused with 501 NotImplemented',
    basis: recording.s3Api('TestS3ObjectWritePrecondition::test_put_object_if_none_match_validation'),
    heldBy: recorded('is refused with 501 for a condition that S3 does not know'),
    verify: false,
  },
  {
    id: 's3-conditional-conflict',
    service: 'S3',
    behaviour:
      'Of conditional PUTs at the same time one succeeds. Another gets 412, or 409 ConditionalRequestConflict',
    basis: page('S3 User Guide, conditional writes', 'AmazonS3/latest/userguide/conditional-writes.html'),
    heldBy: recorded('gets 409 when another PUT overtakes it, and 412 from then on'),
    verify: true,
  },
  {
    id: 's3-presigned-expired',
    service: 'S3',
    behaviour: 'An expired URL is refused with 403 AccessDenied, “Request has expired”, and the times',
    basis: recording.s3('TestS3PresignedUrl::test_s3_presigned_url_expired[s3v4]'),
    heldBy: uploadUrl('refuses it after the hour with 403 AccessDenied, Request has expired'),
    verify: false,
  },
  {
    id: 's3-presigned-session-expired',
    service: 'S3',
    behaviour: 'A URL ends with the session that signed it, even if its own time is longer: 400 ExpiredToken',
    basis: page('S3 User Guide, presigned URLs', 'AmazonS3/latest/userguide/using-presigned-url.html'),
    heldBy: objects('end: a URL whose session has expired answers 400 ExpiredToken'),
    verify: false,
  },
  {
    id: 's3-signature-mismatch',
    service: 'S3',
    behaviour: 'Another method, key or signed value is refused with 403 SignatureDoesNotMatch',
    basis: recording.s3('TestS3PresignedUrl::test_s3_put_presigned_url_with_different_headers[s3v4]'),
    heldBy: uploadUrl(
      'refuses another key, another bucket and other signed values with 403 SignatureDoesNotMatch',
    ),
    verify: true,
  },
  {
    id: 's3-signature-parameter-missing',
    service: 'S3',
    behaviour: 'A missing parameter of the signature is refused with 400 AuthorizationQueryParametersError',
    basis: recording.s3('TestS3PresignedUrl::test_s3_put_presigned_url_missing_sig_param[s3v4]'),
    heldBy: uploadUrl('answers a missing signature parameter with 400 AuthorizationQueryParametersError'),
    verify: true,
  },
  {
    id: 's3-unsigned-header',
    service: 'S3',
    behaviour: 'An `x-amz-*` header that is not signed is refused with 403, and named in HeadersNotSigned',
    basis: recording.s3('TestS3PresignedUrl::test_s3_put_presigned_url_same_header_and_qs_parameter'),
    heldBy: uploadUrl('refuses an unsigned x-amz header with 403 AccessDenied'),
    verify: true,
  },
  {
    id: 's3-unsigned-content-sha256',
    service: 'S3',
    behaviour:
      'An unsigned `x-amz-content-sha256` beside a presigned URL is not among the headers that are refused',
    basis: recording.s3(
      'TestS3PresignedUrl::test_put_object_with_md5_and_chunk_signature_bad_headers[s3v4-True]',
    ),
    heldBy: recorded('may have an unsigned x-amz-content-sha256, whatever it says'),
    verify: true,
  },
  {
    id: 's3-unsigned-content-sha256-value',
    service: 'S3',
    behaviour: 'The value of that header is ignored: the body is stored as it came',
    basis: nothing('Clients are told to send no such header, and one that does reads its own file'),
    heldBy: recorded('may have an unsigned x-amz-content-sha256, whatever it says'),
    verify: true,
  },
  {
    id: 's3-other-headers',
    service: 'S3',
    behaviour: 'A presigned PUT may have other headers, such as Content-Type, that are not signed',
    basis: recording.s3('TestS3PresignedUrl::test_s3_put_presigned_url_with_different_headers[s3v4]'),
    heldBy: uploadUrl('takes other headers that clients add by themselves'),
    verify: true,
  },
  {
    id: 's3-error-fields',
    service: 'S3',
    behaviour:
      'An error document has Code, Message, RequestId, HostId and what belongs to the code, and no Resource',
    basis: recording.s3('TestS3PresignedUrl::test_s3_presigned_url_expired[s3v4]'),
    heldBy: recorded('gets errors with the recorded elements, and no others'),
    verify: true,
  },
  {
    id: 's3-signature-age',
    service: 'S3',
    behaviour: 'A bucket policy can refuse a signature by its age (`s3:signatureAge`, in milliseconds)',
    basis: page(
      'S3 API reference, SigV4 policy keys',
      'AmazonS3/latest/API/bucket-policy-s3-sigv4-conditions.html',
    ),
    heldBy: uploadUrl(
      'refuses a signature older than an hour by the bucket policy, whatever life the URL claims',
    ),
    verify: false,
  },
  {
    id: 's3-if-none-match-key-in-query',
    service: 'S3',
    behaviour: 'The condition key `s3:if-none-match` is filled from the query as from the header',
    basis: nothing('No policy of the template uses the key; one use rests on the condition itself'),
    verify: false,
  },
  {
    id: 's3-content-length-required',
    service: 'S3',
    behaviour: 'A PUT without Content-Length is refused with 411 MissingContentLength',
    basis: page('S3 API reference, error responses', 'AmazonS3/latest/API/ErrorResponses.html'),
    heldBy: uploadUrl('answers a PUT without Content-Length with 411 MissingContentLength'),
    verify: true,
  },
  {
    id: 's3-largest-put',
    service: 'S3',
    behaviour: 'One PUT takes 5 GiB; a larger one is refused with 400 EntityTooLarge',
    basis: page('S3 User Guide, uploading objects', 'AmazonS3/latest/userguide/upload-objects.html'),
    heldBy: uploadUrl('refuses 5 GiB and a byte with 400 EntityTooLarge before any byte of it'),
    verify: true,
  },
  {
    id: 's3-content-md5',
    service: 'S3',
    behaviour: 'A wrong Content-MD5 is refused: InvalidDigest with the value, or BadDigest with both digests',
    basis: recording.s3('TestS3::test_s3_invalid_content_md5'),
    heldBy: recorded('a wrong digest is refused with what was expected and what came'),
    verify: false,
  },
  {
    id: 's3-checksum',
    service: 'S3',
    behaviour:
      'A malformed checksum, or two of them, is an InvalidRequest. One that does not fit is a BadDigest',
    basis: recording.s3('TestS3PutObjectChecksum::test_s3_checksum_no_algorithm'),
    heldBy: recorded('that is malformed is an invalid request, and one that does not fit is a bad digest'),
    verify: false,
  },
  {
    id: 's3-crc64nvme',
    service: 'S3',
    behaviour:
      'S3 computes CRC-64/NVME for an object that came without a checksum, gives it in the answer to the PUT, and later to those who ask',
    basis: recording.s3('TestS3PutObjectChecksum::test_s3_checksum_no_automatic_sdk_calculation'),
    heldBy: checksums('gets CRC-64/NVME, which the answer to the PUT has'),
    verify: true,
  },
  {
    id: 's3-checksum-of-url',
    service: 'S3',
    behaviour: 'So it does for an object that was put with a presigned URL',
    basis: recording.s3('TestS3PresignedUrl::test_put_object'),
    heldBy: checksums('gives it to those who ask for it, and to nobody else'),
    verify: true,
  },
  {
    id: 's3-checksum-of-client',
    service: 'S3',
    behaviour: 'An object that came with a checksum keeps that one alone',
    basis: recording.s3('TestS3PutObjectChecksum::test_s3_get_object_checksum[CRC64NVME]'),
    heldBy: checksums('that came with a %s keeps that, and no other'),
    verify: false,
  },
  {
    id: 's3-head-version-permission',
    service: 'S3',
    behaviour: 'HeadObject of a version needs `s3:GetObjectVersion`, and nothing else to give the checksum',
    basis: page('S3 API reference, HeadObject', 'AmazonS3/latest/API/API_HeadObject.html'),
    heldBy: checksums('needs the permission to read the version, and none for its tags or its list'),
    verify: true,
  },
  {
    id: 's3-head-missing-version',
    service: 'S3',
    behaviour:
      'HeadObject of a version that is gone answers 403 to those who may not list the bucket, or 404',
    basis: page('S3 API reference, HeadObject', 'AmazonS3/latest/API/API_HeadObject.html'),
    heldBy: heldBy(
      'lambdas/recording/bucket.test.ts',
      'is none where S3 answers 403 for a version that is gone',
    ),
    verify: false,
  },
  {
    id: 's3-tagging',
    service: 'S3',
    behaviour:
      'Two tags of one name in `x-amz-tagging` are an InvalidArgument; a tag `aws:…` is an InvalidTag',
    basis: recording.s3Api('TestS3BucketObjectTagging::test_object_tagging_exc', '2026-02-23'),
    heldBy: recorded('tags with one name twice, and tags of AWS, are refused'),
    verify: false,
  },
  {
    id: 's3-delete-marker',
    service: 'S3',
    behaviour:
      'A deletion without version puts a delete marker: then 404 NoSuchKey, and 405 for the marker itself',
    basis: recording.s3Api('TestS3ObjectCRUD::test_delete_object_versioned'),
    heldBy: recorded('a delete marker is told apart from a version'),
    verify: false,
  },
  {
    id: 's3-existence-hidden',
    service: 'S3',
    behaviour: 'Who may not list the bucket gets 403 for a key that does not exist',
    basis: page('S3 API reference, GetObject', 'AmazonS3/latest/API/API_GetObject.html'),
    heldBy: objects('tell nobody whether a key exists who may not list the bucket'),
    verify: false,
  },
  {
    id: 's3-consistency',
    service: 'S3',
    behaviour: 'A read, list or conditional write after a PUT sees the object',
    basis: page(
      'S3 User Guide, data consistency model',
      'AmazonS3/latest/userguide/Welcome.html#ConsistencyModel',
    ),
    heldBy: uploadUrl('lets exactly one win, whole'),
    verify: true,
  },
  {
    id: 's3-object-created-event',
    service: 'EventBridge',
    behaviour: 'A new object makes an “Object Created” event with key, size, version-id, etag and sequencer',
    basis: recording.other(
      's3/test_s3_notifications_eventbridge.py::TestS3NotificationsToEventBridge::test_object_created_put_versioned',
      '2025-01-21',
    ),
    heldBy: events('comes in the shape of S3 to the function of a rule that matches'),
    verify: true,
  },
  {
    id: 'eventbridge-at-least-once',
    service: 'EventBridge',
    behaviour: 'An event may come twice, late and in any order',
    basis: page('S3 User Guide, event notifications', 'AmazonS3/latest/userguide/EventNotifications.html'),
    heldBy: events('comes late, twice and out of order when a test asks for that'),
    verify: true,
  },
  {
    id: 'eventbridge-retry',
    service: 'EventBridge',
    behaviour:
      'EventBridge retries a target for up to 24 hours and 185 times, unless the rule says otherwise',
    basis: page('EventBridge User Guide, retries', 'eventbridge/latest/userguide/eb-rule-retry-policy.html'),
    heldBy: events('queue when the function cannot be reached, after the rule'),
    verify: false,
  },
  {
    id: 'eventbridge-dead-letter',
    service: 'EventBridge',
    behaviour: 'An undelivered event goes to the queue of the rule, with the reason in message attributes',
    basis: page(
      'EventBridge User Guide, dead-letter queues',
      'eventbridge/latest/userguide/eb-rule-dlq.html',
    ),
    heldBy: events('queue immediately when EventBridge may not invoke the function'),
    verify: false,
  },
  {
    id: 'eventbridge-dead-letter-types',
    service: 'EventBridge',
    behaviour: 'The data type of each of those attributes is String',
    basis: nothing('`upload replay` reads the body alone'),
    heldBy: heldBy('cli/admin/uploads.test.ts', 'gives every event to record-upload and empties the queue'),
    verify: false,
  },
];
