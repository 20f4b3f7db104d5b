/**
 * Runs in the worker of a function, as Lambda's Node.js runtime does in an execution environment: loads the
 * bundle once, then handles one event at a time (AWS Lambda, "Runtime environment lifecycle"). This file
 * imports only Node's own modules, because the worker cannot load TypeScript.
 */
import { StringDecoder } from 'node:string_decoder';
import { parentPort, workerData } from 'node:worker_threads';
import type { InvokeMessage, WorkerError, WorkerMessage, WorkerSettings } from './worker-program.ts';

type Handler = (event: unknown, context: unknown) => unknown;

const settings = workerData as WorkerSettings;

const send = (message: WorkerMessage) => parentPort?.postMessage(message);

sendOutput('stdout');
sendOutput('stderr');
followClock();

try {
  const handler = await loadHandler();
  parentPort?.on('message', (message: InvokeMessage) => void handle(handler, message));
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'failed-to-start', error: logError(error, null) });
}

/** Sets `Date` to the clock of the emulator, if a test can move that clock. */
function followClock(): void {
  const { ahead } = settings;
  if (ahead === undefined) {
    return;
  }
  const machine = Date;
  const now = () => machine.now() + (ahead[0] ?? 0);
  globalThis.Date = new Proxy(machine, {
    apply: () => new machine(now()).toString(),
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

async function loadHandler(): Promise<Handler> {
  const module = (await import(settings.moduleUrl)) as Record<string, unknown>;
  const handler = module[settings.exportName];
  if (typeof handler !== 'function') {
    throw new Error(`The bundle exports no function ${settings.exportName}`);
  }
  return handler as Handler;
}

async function handle(handler: Handler, message: InvokeMessage): Promise<void> {
  send(await responseOf(handler, message));
}

/**
 * Sends the output of the function on the same channel as its responses: the lines of an invocation are in
 * the log before the caller receives the response. Node's own streams of a worker wait after each chunk until
 * it is read.
 */
function sendOutput(stream: 'stdout' | 'stderr'): void {
  const decoder = new StringDecoder('utf8');
  const textOf = ({ chunk }: { chunk: unknown }) =>
    typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer);
  process[stream]._writev = (chunks, done) => {
    send({ kind: 'output', stream, text: chunks.map(textOf).join('') });
    done();
  };
}

async function responseOf(handler: Handler, message: InvokeMessage): Promise<WorkerMessage> {
  try {
    const result = await handler(JSON.parse(message.payload), contextOf(message));
    return { kind: 'result', payload: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    return { kind: 'error', error: logError(error, message.requestId) };
  }
}

/** AWS Lambda, "Using the Lambda context object to retrieve Node.js function information". */
function contextOf(message: InvokeMessage): Record<string, unknown> {
  return {
    functionName: settings.functionName,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION ?? '$LATEST',
    invokedFunctionArn: settings.functionArn,
    memoryLimitInMB: String(settings.memoryMegabytes),
    awsRequestId: message.requestId,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, message.deadline - Date.now()),
  };
}

/** Logs an error of the handler as Lambda's runtime does, in the JSON log format of the function. */
function logError(error: unknown, requestId: string | null): WorkerError {
  const known = error instanceof Error;
  const errorType = known ? error.name : 'Error';
  const errorMessage = known ? error.message : String(error);
  const stackTrace = known ? (error.stack ?? '').split('\n') : [];
  const message = { errorType, errorMessage, stackTrace };
  const line = { timestamp: new Date().toISOString(), level: 'ERROR', requestId, message };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return { errorType, errorMessage, trace: stackTrace };
}
