"""Serves a small random model with llama.cpp until standard input ends; prints where.

What it writes means nothing, but its server counts, streams and stops as the real thing does.
Usage: python llama.py MODEL
"""

import sys
from pathlib import Path

import gguf
import numpy
import xllamacpp

WIDTH, HEADS, INNER, WINDOW = 32, 2, 64, 16384


def write_model(path):
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)] + ["\u2581"]
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)] + letters
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * len(letters)

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("random")
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for message in messages %}{{ message['content'] }}{% endfor %}")

    random = numpy.random.default_rng(171)
    matrix = lambda *shape: (random.standard_normal(shape) * 0.2).astype(numpy.float32)
    ones = numpy.ones(WIDTH, dtype=numpy.float32)
    output = matrix(len(tokens), WIDTH)
    # Never the end, and letters only: what it writes is cut off by a limit and nothing else.
    output[: 3 + 256] = 0.0
    tensors = {
        "token_embd.weight": matrix(len(tokens), WIDTH),
        "output_norm.weight": ones,
        "output.weight": output,
        "blk.0.attn_norm.weight": ones,
        "blk.0.attn_q.weight": matrix(WIDTH, WIDTH),
        "blk.0.attn_k.weight": matrix(WIDTH, WIDTH),
        "blk.0.attn_v.weight": matrix(WIDTH, WIDTH),
        "blk.0.attn_output.weight": matrix(WIDTH, WIDTH),
        "blk.0.ffn_norm.weight": ones,
        "blk.0.ffn_gate.weight": matrix(INNER, WIDTH),
        "blk.0.ffn_up.weight": matrix(INNER, WIDTH),
        "blk.0.ffn_down.weight": matrix(WIDTH, INNER),
    }
    for name, tensor in tensors.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    path = Path(sys.argv[1])
    if not path.exists():
        write_model(path)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = WINDOW
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.warmup = False
    parameters.port = 0
    parameters.sampling.temp = 0.0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


main()
