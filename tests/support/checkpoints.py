"""Tiny, randomly initialised checkpoints as a hub would have them: configuration, weights, tokenizer, processor, chat template."""

from pathlib import Path

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% for part in message.content %}{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""The form of Qwen's."""


def tokenizer():
    """Byte-level, without merges: every byte is a token."""
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import Qwen2Tokenizer

    vocabulary = {token: place for place, token in enumerate([*sorted(ByteLevel.alphabet()), *SPECIAL])}
    return Qwen2Tokenizer(
        vocab=vocabulary,
        merges=[],
        pad_token="<|endoftext|>",
        eos_token="<|endoftext|>",
        additional_special_tokens=list(SPECIAL[1:]),
        model_max_length=4096,
    )


def _ids() -> dict[str, int]:
    words = tokenizer()
    names = {"image_token_id": "<|image_pad|>", "video_token_id": "<|video_pad|>", "vision_start_token_id": "<|vision_start|>"}
    return {name: words.convert_tokens_to_ids(token) for name, token in names.items()} | {
        "vision_end_token_id": words.convert_tokens_to_ids("<|vision_end|>")
    }


def _text(width: int, sections: list[int]) -> dict[str, object]:
    return {
        "vocab_size": 300,
        "hidden_size": width,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": width // 2,
        "max_position_embeddings": 4096,
        "rope_parameters": {"rope_type": "default", "mrope_section": sections, "rope_theta": 10000.0, "mrope_interleaved": True},
    }


def qwen3_vl(folder: Path, width: int = 32) -> None:
    """The architecture of Qwen3-VL-Embedding."""
    import torch
    from transformers import Qwen2VLImageProcessor, Qwen3VLConfig, Qwen3VLModel, Qwen3VLProcessor, Qwen3VLVideoProcessor

    torch.manual_seed(0)
    vision = {
        "depth": 2, "hidden_size": 16, "intermediate_size": 32, "num_heads": 2, "patch_size": 16, "out_hidden_size": width,
        "deepstack_visual_indexes": [0], "num_position_embeddings": 64,
    }  # fmt: skip
    config = Qwen3VLConfig(text_config=_text(width, [2, 3, 3]), vision_config=vision, **_ids())
    Qwen3VLModel(config).save_pretrained(folder)
    images = Qwen2VLImageProcessor(patch_size=16, size={"shortest_edge": 1024, "longest_edge": 10_000_000})
    Qwen3VLProcessor(images, tokenizer(), Qwen3VLVideoProcessor(), chat_template=TEMPLATE).save_pretrained(folder)


def qwen3_text(folder: Path, width: int = 32) -> None:
    """The architecture of Qwen3-Embedding: texts only, no chat template."""
    import torch
    from transformers import Qwen3Config, Qwen3Model

    torch.manual_seed(0)
    values = _text(width, []) | {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}
    Qwen3Model(Qwen3Config(**values)).save_pretrained(folder)
    tokenizer().save_pretrained(folder)


def colqwen2_5(folder: Path, width: int = 32) -> None:
    """The architecture of ColQwen2.5."""
    import torch
    from colpali_engine.models import ColQwen2_5, ColQwen2_5_Processor
    from transformers import Qwen2_5_VLConfig, Qwen2VLImageProcessor, Qwen2VLVideoProcessor

    torch.manual_seed(0)
    vision = {
        "depth": 2, "hidden_size": 16, "intermediate_size": 32, "num_heads": 2, "patch_size": 14, "out_hidden_size": width,
        "fullatt_block_indexes": [1], "window_size": 56,
    }  # fmt: skip
    config = Qwen2_5_VLConfig(text_config=_text(width, [2, 3, 3]), vision_config=vision, **_ids())
    ColQwen2_5(config).save_pretrained(folder)
    ColQwen2_5_Processor(Qwen2VLImageProcessor(), tokenizer(), Qwen2VLVideoProcessor()).save_pretrained(folder)
