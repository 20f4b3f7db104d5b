import { type AwsFact, heldBy, nothing, page, recording } from './fact.ts';

const recorded = (title: string) => heldBy('emulator/recorded.test.ts', title);
const services = (title: string) => heldBy('emulator/aws-services.test.ts', title);
const environment = (title: string) => heldBy('emulator/lambda/execution-environment.test.ts', title);
const gateway = (title: string) => heldBy('emulator/api-gateway/server.test.ts', title);
const event = (title: string) => heldBy('emulator/api-gateway/event.test.ts', title);
const custom = (title: string) => heldBy('emulator/cloudformation/custom-resources.test.ts', title);
const lambda = (test: string, date = '2025-11-24') =>
  recording.other(`lambda_/test_lambda.py::${test}`, date);
const sqs = (test: string, date: string) =>
  recording.other(`sqs/test_sqs.py::TestSqsProvider::${test}`, date);
const stacks = (test: string, date: string) =>
  recording.other(`cloudformation/api/test_stacks.py::${test}`, date);
const httpApi = 'apigateway/latest/developerguide';

/** Lambda, API Gateway, DynamoDB, SQS and CloudFormation. */
export const computeFacts: readonly AwsFact[] = [
  {
    id: 'lambda-unknown-function',
    service: 'Lambda',
    behaviour: 'Invoke of a function that does not exist is 404 ResourceNotFoundException',
    basis: lambda('TestLambdaFeatures::test_invoke_exceptions'),
    heldBy: recorded('answers 404 for a function that does not exist'),
    verify: false,
  },
  {
    id: 'lambda-function-error',
    service: 'Lambda',
    behaviour: 'What a handler throws is a 200 with FunctionError: errorType, errorMessage and trace',
    basis: recording.other(
      'lambda_/test_lambda_common.py::TestLambdaRuntimesCommon::test_uncaught_exception_invoke[nodejs20.x]',
      '2026-01-12',
    ),
    heldBy: environment('hands its lines over, and those of its runtime when it throws'),
    verify: false,
  },
  {
    id: 'lambda-timeout',
    service: 'Lambda',
    behaviour: 'A time-out is a FunctionError of type Sandbox.Timedout that names the time',
    basis: lambda('TestLambdaBehavior::test_lambda_invoke_with_timeout', '2025-11-25'),
    heldBy: environment('is ended when its time is up, and says so in its log'),
    verify: false,
  },
  {
    id: 'lambda-exit',
    service: 'Lambda',
    behaviour: 'A process that ends is a FunctionError of type Runtime.ExitError with the id of the request',
    basis: lambda('TestLambdaErrors::test_lambda_handler_exit'),
    heldBy: environment('is reported when it %s'),
    verify: false,
  },
  {
    id: 'lambda-null',
    service: 'Lambda',
    behaviour: 'A handler that returns nothing answers null',
    basis: lambda('TestLambdaFeatures::test_invocation_type_no_return_payload[nodejs-RequestResponse]'),
    heldBy: environment('answers null for nothing'),
    verify: false,
  },
  {
    id: 'lambda-throttled',
    service: 'Lambda',
    behaviour: 'Beyond the reserved concurrency, Invoke is 429 TooManyRequestsException with a Reason',
    basis: lambda('TestLambdaConcurrency::test_reserved_concurrency', '2025-11-25'),
    heldBy: recorded('answers 429 with its reason when the concurrency of a function is used up'),
    verify: false,
  },
  {
    id: 'lambda-memory-kept',
    service: 'Lambda',
    behaviour: 'An execution environment keeps its memory between invocations, and loses it with a time-out',
    basis: lambda('TestLambdaBehavior::test_lambda_invoke_timed_out_environment_reuse', '2024-04-08'),
    heldBy: environment('keeps what it has in memory between invocations'),
    verify: false,
  },
  {
    id: 'lambda-frozen',
    service: 'Lambda',
    behaviour: 'Nothing runs in an environment between two invocations',
    basis: page(
      'Lambda Developer Guide, execution environment',
      'lambda/latest/dg/lambda-runtime-environment.html',
    ),
    heldBy: environment('is frozen between invocations, if a test asks for that: its timers wait'),
    verify: false,
  },
  {
    id: 'lambda-async-retries',
    service: 'Lambda',
    behaviour: 'An asynchronous invocation that fails is tried twice more',
    basis: page(
      'Lambda Developer Guide, asynchronous errors',
      'lambda/latest/dg/invocation-async-error-handling.html',
    ),
    heldBy: heldBy('emulator/events/events.test.ts', 'is given to a failing function twice more'),
    verify: false,
  },
  {
    id: 'lambda-dead-letter',
    service: 'Lambda',
    behaviour:
      'A dead letter is the event, with RequestID, ErrorCode (a Number) and the ErrorMessage of the function',
    basis: lambda('TestLambdaDLQ::test_dead_letter_queue'),
    heldBy: heldBy('emulator/events/events.test.ts', 'is given to a failing function twice more'),
    verify: false,
  },
  {
    id: 'lambda-new-account-concurrency',
    service: 'Lambda',
    behaviour: 'A new account may run 10 functions at the same time, and none of them can be reserved',
    basis: page('Lambda Developer Guide, quotas', 'lambda/latest/dg/gettingstarted-limits.html'),
    verify: false,
  },
  {
    id: 'http-api-payload-2',
    service: 'API Gateway',
    behaviour: 'Payload format 2.0: lower-case headers joined by commas, decoded path, cookies apart',
    basis: page(
      'API Gateway Developer Guide, Lambda integrations',
      `${httpApi}/http-api-develop-integrations-lambda.html`,
    ),
    heldBy: event('describes the request'),
    verify: true,
  },
  {
    id: 'http-api-encoded-slash',
    service: 'API Gateway',
    behaviour: '`%2F` stays within its path parameter and reaches the function decoded',
    basis: nothing('No id of a file has a slash, so either reading is answered 404'),
    heldBy: event('hands path and path parameters over decoded, an encoded slash included'),
    verify: true,
  },
  {
    id: 'http-api-response-inference',
    service: 'API Gateway',
    behaviour: 'A returned value without statusCode is the body of a 200 with application/json',
    basis: page(
      'API Gateway Developer Guide, Lambda integrations',
      `${httpApi}/http-api-develop-integrations-lambda.html`,
    ),
    heldBy: gateway('takes %s for the body of a 200'),
    verify: false,
  },
  {
    id: 'http-api-challenge-header',
    service: 'API Gateway',
    behaviour:
      'WWW-Authenticate of a function reaches the client, or is renamed to x-amzn-remapped-www-authenticate',
    basis: nothing('REST APIs rename it. Clients and tests read neither header, or look for both'),
    heldBy: gateway('renames a challenge, if a test asks for that: %s'),
    verify: true,
  },
  {
    id: 'http-api-asked-name',
    service: 'API Gateway',
    behaviour: '`domainName` in the event and in the access log is the name under which the API was asked',
    basis: page(
      'API Gateway Developer Guide, logging variables for HTTP APIs',
      `${httpApi}/http-api-logging-variables.html`,
    ),
    heldBy: gateway('is in the event and in the access log: %s'),
    verify: false,
  },
  {
    id: 'http-api-own-endpoint-off',
    service: 'API Gateway',
    behaviour: 'The own endpoint of an API is 404 `{"message":"Not Found"}` when it is switched off',
    basis: nothing(
      'AWS re:Post says so ("Deactivate the API Gateway default endpoint"), the Developer Guide says nothing. Whatever the ' +
        'answer, no function runs',
    ),
    heldBy: gateway('is answered 404 when it is switched off'),
    verify: false,
  },
  {
    id: 'http-api-not-found',
    service: 'API Gateway',
    behaviour: 'A path or method without route is 404 `{"message":"Not Found"}`, never 405',
    basis: page('API Gateway Developer Guide, routes', `${httpApi}/http-api-develop-routes.html`),
    heldBy: gateway('answers 404 to %s'),
    verify: true,
  },
  {
    id: 'http-api-largest-body',
    service: 'API Gateway',
    behaviour: 'A body above 10 MB is refused with 413',
    basis: page('API Gateway Developer Guide, quotas for HTTP APIs', `${httpApi}/http-api-quotas.html`),
    heldBy: gateway('takes a body that fits into an invocation, and not one byte more'),
    verify: true,
  },
  {
    id: 'http-api-largest-head',
    service: 'API Gateway',
    behaviour: 'Request line and headers above 10,240 bytes are refused with 431',
    basis: page('API Gateway Developer Guide, quotas for HTTP APIs', `${httpApi}/http-api-quotas.html`),
    heldBy: gateway('takes 10,240 bytes of request line and headers, and not one more'),
    verify: true,
  },
  {
    id: 'http-api-throttled',
    service: 'API Gateway',
    behaviour: 'A throttled request is 429 `{"message":"Too Many Requests"}`, and reaches no function',
    basis: page('API Gateway Developer Guide, throttling', `${httpApi}/http-api-throttling.html`),
    heldBy: gateway('answers 429 when the stage is throttled'),
    verify: false,
  },
  {
    id: 'http-api-gateway-bodies',
    service: 'API Gateway',
    behaviour: 'The text of the answers that API Gateway gives by itself',
    basis: nothing('docs/api.md promises their status alone'),
    heldBy: gateway('answers 429 when the stage is throttled'),
    verify: true,
  },
  {
    id: 'http-api-timeout',
    service: 'API Gateway',
    behaviour: 'A function that takes longer than the integration allows (30 s at most) is answered 503',
    basis: page('API Gateway Developer Guide, quotas for HTTP APIs', `${httpApi}/http-api-quotas.html`),
    heldBy: gateway('answers 503 when it takes longer than the integration allows'),
    verify: false,
  },
  {
    id: 'dynamodb-conditional-failure',
    service: 'DynamoDB',
    behaviour: 'A write whose condition fails is ConditionalCheckFailedException, and changes nothing',
    basis: recording.other(
      'dynamodb/test_dynamodb.py::TestDynamoDB::test_return_values_on_conditions_check_failure',
      '2025-10-08',
    ),
    heldBy: services('stores, updates under a condition, and queries an index'),
    verify: true,
  },
  {
    id: 'dynamodb-conditional-failure-item',
    service: 'DynamoDB',
    behaviour:
      'ReturnValuesOnConditionCheckFailure adds the item. No code asks for it; the emulator refuses it',
    basis: recording.other(
      'dynamodb/test_dynamodb.py::TestDynamoDB::test_return_values_on_conditions_check_failure',
      '2025-10-08',
    ),
    heldBy: services('refuses what it cannot do as AWS does, instead of leaving it out'),
    verify: false,
  },
  {
    id: 'dynamodb-validation',
    service: 'DynamoDB',
    behaviour: 'A malformed request is 400 ValidationException',
    basis: page(
      'DynamoDB Developer Guide, error handling',
      'amazondynamodb/latest/developerguide/Programming.Errors.html',
    ),
    heldBy: services('refuses what it cannot do as AWS does, instead of leaving it out'),
    verify: false,
  },
  {
    id: 'dynamodb-throttling',
    service: 'DynamoDB',
    behaviour:
      'A throttled call is ProvisionedThroughputExceededException or ThrottlingException, and can be repeated',
    basis: page(
      'DynamoDB Developer Guide, error handling',
      'amazondynamodb/latest/developerguide/Programming.Errors.html',
    ),
    heldBy: heldBy(
      'long/faults/faults.test.ts',
      'clients get the contract body for 500 and nothing else, in time',
    ),
    verify: false,
  },
  {
    id: 'dynamodb-eventual-consistency',
    service: 'DynamoDB',
    behaviour: 'A read without ConsistentRead may not see the last write; an index never has to',
    basis: page(
      'DynamoDB Developer Guide, read consistency',
      'amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html',
    ),
    heldBy: heldBy(
      'emulator/dynamodb/delayed-reads.test.ts',
      'sees nothing of an item that was written once',
    ),
    verify: false,
  },
  {
    id: 'sqs-no-such-queue',
    service: 'SQS',
    behaviour: 'A queue that does not exist is QueueDoesNotExist, with its older name beside it',
    basis: sqs('test_non_existent_queue', '2024-04-30'),
    heldBy: recorded('names a queue that does not exist in both protocols'),
    verify: false,
  },
  {
    id: 'sqs-attributes-on-demand',
    service: 'SQS',
    behaviour:
      'ReceiveMessage and GetQueueAttributes give the attributes that a request names, and no others',
    basis: sqs('test_receive_message_attribute_names_filters[sqs]', '2024-06-04'),
    heldBy: recorded('and gives attributes on demand alone'),
    verify: false,
  },
  {
    id: 'sqs-empty-receive',
    service: 'SQS',
    behaviour: 'An empty ReceiveMessage has no Messages',
    basis: sqs('test_receive_empty_queue[sqs]', '2025-02-10'),
    heldBy: services('sends, receives once and deletes, with the checksums that the SDK checks'),
    verify: false,
  },
  {
    id: 'sqs-delete-is-repeatable',
    service: 'SQS',
    behaviour: 'DeleteMessage with an older handle, or of a deleted message, succeeds',
    basis: page(
      'SQS API reference, DeleteMessage',
      'AWSSimpleQueueService/latest/APIReference/API_DeleteMessage.html',
    ),
    heldBy: recorded('names a queue that does not exist in both protocols'),
    verify: false,
  },
  {
    id: 'sqs-visibility',
    service: 'SQS',
    behaviour: 'A received message is hidden for its visibility timeout, and can be deleted after it',
    basis: sqs('test_delete_after_visibility_timeout[sqs]', '2025-03-28'),
    heldBy: services('sends, receives once and deletes, with the checksums that the SDK checks'),
    verify: false,
  },
  {
    id: 'cloudformation-custom-resource',
    service: 'CloudFormation',
    behaviour: 'A function answers a custom resource by a PUT to ResponseURL, with the reason of a failure',
    basis: page(
      'CloudFormation User Guide, custom resources',
      'AWSCloudFormation/latest/UserGuide/crpg-ref.html',
    ),
    heldBy: custom('stop the start with the reason of a failure, and are made anew the next time'),
    verify: true,
  },
  {
    id: 'cloudformation-termination-protection',
    service: 'CloudFormation',
    behaviour: 'A stack with termination protection cannot be deleted until that is switched off',
    basis: stacks('test_update_termination_protection', '2023-01-04'),
    heldBy: heldBy(
      'lib/first-deployment.test.ts',
      'shows that termination protection from the start wedges the stack',
    ),
    verify: false,
  },
  {
    id: 'cloudformation-rollback-complete',
    service: 'CloudFormation',
    behaviour: 'A stack whose creation was rolled back can only be deleted',
    basis: page(
      'CloudFormation User Guide, stack status codes',
      'AWSCloudFormation/latest/UserGuide/view-stack-events.html',
    ),
    verify: false,
  },
];
