import type { Construct } from 'constructs';
import type { ClientsTable } from './clients-table.ts';
import { HttpFunction, type HttpFunctionProps } from './http-function.ts';

export interface TokenFunctionProps extends HttpFunctionProps {
  readonly clients: ClientsTable;
}

/** Issues access tokens: reads clients, and is the one function behind the API that can sign. */
export class TokenFunction extends HttpFunction {
  constructor(scope: Construct, id: string, props: TokenFunctionProps) {
    const { clients, configuration, signingKey } = props;
    super(scope, id, props, {
      name: 'token',
      description: 'Issues access tokens',
      environment: {
        clientsTableName: clients.tableName,
        signingKeySecretArn: signingKey.signingKeySecretArn,
        tokenLifetimeSeconds: String(configuration.tokenLifetimeSeconds),
      },
    });
    clients.grantReadClient(this.role);
    signingKey.grantReadPrivateKeys(this.role);
  }
}
