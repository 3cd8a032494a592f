"""Model servers as they answer on a machine: real HTTP servers on free ports, with the shapes that their programs send."""

import json
import socket
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from typing_extensions import override

Routes = Mapping[str, object]
"""`GET /path` → the JSON that is answered with 200, bytes that are sent as they are, or a number of seconds to say nothing."""

OLLAMA: Routes = {
    "GET /api/version": {"version": "0.12.6"},
    "GET /api/tags": {
        "models": [
            {
                "name": "qwen3:8b",
                "model": "qwen3:8b",
                "modified_at": "2025-10-17T23:14:07Z",
                "size": 5225388164,
                "digest": "500a1f067a9f",
                "details": {
                    "format": "gguf",
                    "family": "qwen3",
                    "parameter_size": "8.2B",
                    "quantization_level": "Q4_K_M",
                },
            },
            {"name": "llama3.2:latest", "model": "llama3.2:latest", "size": 2019393189, "digest": "a80c4f17acd5"},
            {
                "name": "nomic-embed-text:latest",
                "model": "nomic-embed-text:latest",
                "size": 274302450,
                "digest": "0a109f4",
            },
        ]
    },
    "GET /api/ps": {
        "models": [{"name": "qwen3:8b", "model": "qwen3:8b", "size_vram": 6591830464, "context_length": 4096}]
    },
    "POST /api/show qwen3:8b": {
        "parameters": 'stop   "<|im_end|>"',
        "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960},
        "capabilities": ["completion", "tools", "thinking"],
    },
    "POST /api/show llama3.2:latest": {
        "parameters": 'num_ctx                        16384\nstop                           "<|eot_id|>"',
        "model_info": {"llama.context_length": 131072},
        "capabilities": ["completion", "tools"],
    },
    "POST /api/show nomic-embed-text:latest": {"parameters": "num_ctx 8192", "capabilities": ["embedding"]},
    "GET /v1/models": {"object": "list", "data": [{"id": "qwen3:8b", "object": "model", "owned_by": "library"}]},
}

LM_STUDIO: Routes = {
    "GET /api/v0/models": {
        "object": "list",
        "data": [
            {
                "id": "meta-llama-3.1-8b-instruct",
                "object": "model",
                "type": "llm",
                "publisher": "lmstudio-community",
                "state": "loaded",
                "max_context_length": 131072,
                "loaded_context_length": 8192,
            },
            {"id": "qwen2-vl-7b-instruct", "type": "vlm", "state": "not-loaded", "max_context_length": 32768},
            {"id": "text-embedding-nomic-embed-text-v1.5", "type": "embeddings", "max_context_length": 2048},
        ],
    },
    "GET /v1/models": {
        "object": "list",
        "data": [{"id": "meta-llama-3.1-8b-instruct", "owned_by": "organization_owner"}],
    },
    # What it answers, with status 200, to a path that it does not know.
    "*": {"error": "Unexpected endpoint or method. (GET /api/version)"},
}

LLAMA_CPP: Routes = {
    "GET /v1/models": {
        "object": "list",
        "data": [
            {
                "id": "gemma-3-4b-it.gguf",
                "object": "model",
                "owned_by": "llamacpp",
                "meta": {"n_ctx": 32768, "n_ctx_train": 131072},
            }
        ],
    },
    "GET /props": {"default_generation_settings": {"id": 0, "n_ctx": 8192}, "total_slots": 4, "build_info": "b9222"},
    "GET /api/tags": {"models": [{"name": "gemma-3-4b-it.gguf", "model": "gemma-3-4b-it.gguf"}]},
}

VLLM: Routes = {
    "GET /version": {"version": "0.11.0"},
    "GET /v1/models": {
        "object": "list",
        "data": [{"id": "Qwen/Qwen3-8B", "object": "model", "owned_by": "vllm", "max_model_len": 40960}],
    },
}


@dataclass
class Served:
    """A server that runs. `heard` are its requests: method, path and header names."""

    port: int
    heard: list[tuple[str, str, set[str]]] = field(default_factory=list[tuple[str, str, set[str]]])

    @property
    def root(self) -> str:
        """Its address without a path."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(routes: Routes, *, host: str = "127.0.0.1", port: int = 0) -> Generator[Served]:
    """A server that answers by `routes`; anything else is `*`, or 404."""
    server = (_Server6 if ":" in host else _Server)((host, port), routes)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], routes: Routes) -> None:
        super().__init__(address, _Handler)
        self.routes = routes
        self.served = Served(port=self.server_address[1])


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Handler(BaseHTTPRequestHandler):
    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: `heard` tells what came."""

    def do_GET(self) -> None:
        self._answer(f"GET {self.path}")

    def do_POST(self) -> None:
        body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        self._answer(f"POST {self.path} {body.get('model', '')}")

    def _answer(self, asked: str) -> None:
        server = cast("_Server", self.server)
        server.served.heard.append((self.command, self.path, {name.lower() for name in self.headers}))
        answer = server.routes.get(asked, server.routes.get("*"))
        if isinstance(answer, int | float):
            time.sleep(answer)
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(404 if answer is None else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
