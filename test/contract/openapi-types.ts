// Generated from the API description by openapi-typescript. Changes are made there.

export interface paths {
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an access token
         * @description OAuth 2.0 client credentials grant (RFC 6749 section 4.4). Authenticate by HTTP Basic or with `client_id` and `client_secret` in the form, not both.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/volumes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List volumes
         * @description Lists the drive volumes that the client can read. The list is currently always empty.
         */
        get: operations["listVolumes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/files/{fileId}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an upload URL for a file
         * @description Issues a presigned upload URL for a file that has syncing enabled. Send the bytes to it with one single `PUT`, without credentials, before it expires: its query parameter `X-Amz-Expires` says after how many seconds, at most one hour. Ask for a new URL for each upload. No request body is defined; one that is sent is ignored.
         */
        post: operations["createFileSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Issuer metadata
         * @description OpenID Connect discovery document, with the token endpoint and the supported scopes.
         */
        get: operations["getIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public key set
         * @description The public keys of access tokens, for clients that verify tokens themselves.
         */
        get: operations["getKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The machine-readable description of the v0 API.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Volume: {
            /** @description Opaque identifier of the volume */
            id: string;
            /** @description Display name */
            name: string;
        };
        VolumeList: {
            /** @description The volumes that the client can read; currently always empty */
            data: components["schemas"]["Volume"][];
        };
        UploadUrl: {
            /**
             * Format: uri
             * @description Presigned upload URL, for one file and one use; the signature is embedded in it
             */
            upload_url: string;
        };
        FileSyncUploadUrl: {
            data: components["schemas"]["UploadUrl"];
        };
        Token: {
            /** @description Signed access token (RFC 9068) */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Lifetime in seconds */
            expires_in: number;
            /** @description Space-separated scopes granted */
            scope: string;
        };
        TokenError: {
            /** @enum {string} */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
            /** @description What is wrong, for people */
            error_description: string;
        };
        Unauthorized: {
            /** @constant */
            message: "Unauthorized";
        };
        InsufficientScope: {
            /** @constant */
            error: "insufficient_scope";
            /** @description Names the scopes that the endpoint requires */
            error_description: string;
        };
        NotFound: {
            /** @constant */
            error: "not_found";
            /** @description What is wrong, for people */
            error_description: string;
        };
        SyncNotEnabled: {
            /** @constant */
            error: "sync_not_enabled";
            /** @description What is wrong, for people */
            error_description: string;
        };
        TooManyRequests: {
            /** @constant */
            message: "Too Many Requests";
        };
        InternalError: {
            /** @constant */
            error: "internal_error";
            /** @description What is wrong, for people */
            error_description: string;
        };
        /** @description OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2 */
        IssuerMetadata: {
            /** Format: uri */
            issuer: string;
            /** Format: uri */
            token_endpoint: string;
            /** Format: uri */
            jwks_uri: string;
            scopes_supported: string[];
            grant_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            response_types_supported: string[];
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
            claims_supported?: string[];
            /** Format: uri */
            service_documentation?: string;
            request_uri_parameter_supported?: boolean;
        };
        /** @description JSON Web Key Set (RFC 7517 section 5), public keys only */
        KeySet: {
            keys: components["schemas"]["PublicKey"][];
        };
        /** @description JSON Web Key (RFC 7517 section 4); an EC key has crv, x and y, an RSA key n and e */
        PublicKey: {
            /** @enum {string} */
            kty: "EC" | "RSA";
            kid: string;
            /** @enum {string} */
            alg: "ES256" | "RS256";
            /** @constant */
            use: "sig";
            crv?: string;
            x?: string;
            y?: string;
            n?: string;
            e?: string;
        };
        /** @description An OpenAPI 3.1.0 document */
        OpenApiDocument: {
            /** @constant */
            openapi: "3.1.0";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @constant */
                    grant_type: "client_credentials";
                    /** @description Only if HTTP Basic is not used */
                    client_id?: string;
                    /**
                     * Format: password
                     * @description Only if HTTP Basic is not used
                     */
                    client_secret?: string;
                    /**
                     * @description Space-separated scopes; by default every scope that the client is allowed to request
                     * @example volume:read sync:create
                     */
                    scope?: string;
                };
            };
        };
        responses: {
            /** @description The access token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9...",
                     *       "token_type": "Bearer",
                     *       "expires_in": 3600,
                     *       "scope": "volume:read sync:create"
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request is malformed, or asks for what the client may not have */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_scope",
                     *       "error_description": "The client may request these scopes only: volume:read"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Client id or client secret is missing, wrong or malformed, or the client is revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_client",
                     *       "error_description": "The client id or client secret is missing or wrong, or the client is revoked"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description More requests than the deployment takes; send the request again later */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Unexpected server error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "error_description": "The request failed for a reason on our side; try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    listVolumes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The volumes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": []
                     *     }
                     */
                    "application/json": components["schemas"]["VolumeList"];
                };
            };
            /** @description The access token is missing, malformed or expired */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The token lacks the required scope */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "insufficient_scope",
                     *       "error_description": "This endpoint requires the scope volume:read"
                     *     }
                     */
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            /** @description More requests than the deployment takes; send the request again later */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Unexpected server error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "error_description": "The request failed for a reason on our side; try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    createFileSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier of the file
                 * @example orders-2026
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload URL */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "upload_url": "https://uploads.s3.eu-central-1.amazonaws.com/uploads/019c1b2e-7d3a-7cc1-8f43-5e0d1c2b3a49?If-None-Match=%2A&X-Amz-Expires=3600&X-Amz-Signature=..."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FileSyncUploadUrl"];
                };
            };
            /** @description The access token is missing, malformed or expired */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Unauthorized"];
                };
            };
            /** @description The token lacks the required scope */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "insufficient_scope",
                     *       "error_description": "This endpoint requires the scope sync:create"
                     *     }
                     */
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            /** @description No file with this id, or it belongs to a different organisation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "error_description": "There is no file with this id"
                     *     }
                     */
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description The file does not have syncing enabled */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "sync_not_enabled",
                     *       "error_description": "Syncing is not enabled for this file"
                     *     }
                     */
                    "application/json": components["schemas"]["SyncNotEnabled"];
                };
            };
            /** @description More requests than the deployment takes; send the request again later */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Unexpected server error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "error_description": "The request failed for a reason on our side; try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getIssuerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the copies at hand */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Issuer metadata */
            200: {
                headers: {
                    /** @description Strong entity tag */
                    ETag?: string;
                    /** @description How long the document may be kept */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuerMetadata"];
                };
            };
            /** @description The copy at hand is current */
            304: {
                headers: {
                    /** @description Strong entity tag */
                    ETag?: string;
                    /** @description How long the document may be kept */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description More requests than the deployment takes; send the request again later */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Unexpected server error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "error_description": "The request failed for a reason on our side; try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getKeySet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the copies at hand */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Public key set */
            200: {
                headers: {
                    /** @description Strong entity tag */
                    ETag?: string;
                    /** @description How long the document may be kept */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySet"];
                };
            };
            /** @description The copy at hand is current */
            304: {
                headers: {
                    /** @description Strong entity tag */
                    ETag?: string;
                    /** @description How long the document may be kept */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description More requests than the deployment takes; send the request again later */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Unexpected server error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "error_description": "The request failed for a reason on our side; try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the copies at hand */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document */
            200: {
                headers: {
                    /** @description Strong entity tag */
                    ETag?: string;
                    /** @description How long the document may be kept */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            /** @description The copy at hand is current */
            304: {
                headers: {
                    /** @description Strong entity tag */
                    ETag?: string;
                    /** @description How long the document may be kept */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description More requests than the deployment takes; send the request again later */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["TooManyRequests"];
                };
            };
            /** @description Unexpected server error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "error_description": "The request failed for a reason on our side; try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
}
