import { existsSync, readFileSync } from 'node:fs';
import {
  type Fault,
  type Faults,
  type FaultyCalls,
  type FaultyService,
  faultyServices,
  parseFaults,
} from './faults.ts';

/** A fault, and the service that has it. */
export interface FoundFault {
  readonly service: FaultyService;
  readonly fault: Fault;
}

/** Whether a call with this fault is not carried out. */
export function isRefusal(found: FoundFault | undefined): boolean {
  return found !== undefined && found.fault !== 'slow';
}

/** What faults can be chosen by, beside the service. */
export interface CallDetails {
  readonly operation: string | undefined;
  readonly table: string | undefined;
}

/** Finds the fault that a call gets. Reads the control file each time, and the details only when a fault needs them. */
export type FindFault = (
  service: string | undefined,
  accessKeyId: string | undefined,
  readDetails: () => Promise<CallDetails>,
) => Promise<FoundFault | undefined>;

export interface FaultFinder {
  readonly findFault: FindFault;
  /** Finds the fault that a call gets which a service of AWS makes by itself. */
  readonly findOwnFault: (service: FaultyService, operation: string) => Promise<FoundFault | undefined>;
}

/**
 * Only calls that are signed with the credentials of a role get a fault, and those of AWS itself. The operator must be
 * able to look at what a fault did, and clients that PUT to a presigned URL are not functions.
 *
 * @param path path of the control file; without one there are no faults
 */
export function createFaultFinder(path: string | undefined): FaultFinder {
  let read = { text: '', faults: readFaults('') };
  const find = async (service: FaultyService, readDetails: () => Promise<CallDetails>) => {
    if (path === undefined) {
      return undefined;
    }
    const text = readIfPresent(path);
    if (text !== read.text) {
      read = { text, faults: readFaults(text) };
    }
    const counted = read.faults[service];
    const details = counted.some(isSelective) ? await readDetails() : undefined;
    const found = counted.find(({ calls }) => fits(calls, details));
    return found !== undefined && isDue(found) ? { service, fault: found.calls.fault } : undefined;
  };
  return {
    findFault: async (serviceName, accessKeyId, readDetails) => {
      const service = faultyServices.find((name) => name === serviceName);
      return service !== undefined && accessKeyId?.startsWith('ASIA')
        ? find(service, readDetails)
        : undefined;
    },
    findOwnFault: (service, operation) => find(service, async () => ({ operation, table: undefined })),
  };
}

/** Calls that have a fault, and how many of them have come. */
interface CountedCalls {
  readonly calls: FaultyCalls;
  seen: number;
}

function readFaults(text: string): Readonly<Record<FaultyService, readonly CountedCalls[]>> {
  const faults: Faults = text === '' ? {} : parseFaults(text);
  const counted = (given: Fault | readonly FaultyCalls[] = []): readonly CountedCalls[] => {
    const list = typeof given === 'string' ? [{ fault: given }] : given;
    return list.map((calls) => ({ calls, seen: 0 }));
  };
  return {
    dynamodb: counted(faults.dynamodb),
    secretsmanager: counted(faults.secretsmanager),
    sts: counted(faults.sts),
    s3: counted(faults.s3),
    sqs: counted(faults.sqs),
  };
}

function isSelective({ calls }: CountedCalls): boolean {
  return calls.operation !== undefined || calls.table !== undefined;
}

function fits({ operation, table }: FaultyCalls, details: CallDetails | undefined): boolean {
  return (
    (operation === undefined || operation === details?.operation) &&
    (table === undefined || table === details?.table)
  );
}

/** Counts the call. */
function isDue(counted: CountedCalls): boolean {
  const { after = 0, calls = Number.POSITIVE_INFINITY } = counted.calls;
  counted.seen += 1;
  return counted.seen > after && counted.seen <= after + calls;
}

function readIfPresent(path: string): string {
  // Usually there is no file. An error for that would take several times as long.
  if (!existsSync(path)) {
    return '';
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return '';
    }
    throw error;
  }
}
