import { routes } from '../../contract/routes.ts';
import template from './openapi.json' with { type: 'json' };

/** The published description with the addresses of this deployment in place of the example's. */
export function openapiDocument(baseUrl: string) {
  const { components } = template;
  const { clientCredentials } = components.securitySchemes;
  return {
    ...template,
    servers: [{ ...template.servers[0], url: baseUrl }],
    components: {
      ...components,
      securitySchemes: {
        ...components.securitySchemes,
        clientCredentials: {
          ...clientCredentials,
          flows: {
            clientCredentials: {
              ...clientCredentials.flows.clientCredentials,
              tokenUrl: baseUrl + routes.token.path,
            },
          },
        },
      },
    },
  };
}
