"""Trains a network that hears instruments in the levels of a passage, on mixes that are made as it learns.

usage: python3 train.py FOLDER MINUTES
FOLDER is what lab/train-network.ts has written; network.npz is written to it. Needs PyTorch with CUDA, and soundfile.
See docs/decisions/0144.
"""

import json
import math
import multiprocessing
import random
import sys
import time

import numpy as np
import soundfile
import torch
from torch import nn

NAMES = (
    "Piano,Electric Piano,Harpsichord,Mallets,Organ,Church Organ,Accordion,Harmonica,Guitar,Acoustic Guitar,"
    "Electric Guitar,Distorted Guitar,Bass Guitar,Double Bass,Synth Bass,Strings,Violin,Cello,Pizzicato Strings,Harp,"
    "Choir,Brass,Trumpet,Trombone,French Horn,Saxophone,Woodwinds,Clarinet,Flute,Synth,Synth Lead,Synth Pad,Drums"
).split(",")
HZ, FRAMES, BANDS, WINDOW, HOP = 16_000, 187, 96, 512, 256
SAMPLES = FRAMES * HOP + WINDOW - HOP
DRUMS, MOST_PLAYERS, BATCH, DRAWERS = 128, 5, 256, 12
RATE = 2e-3
DEVICE = "cuda"

folder, minutes = sys.argv[1], float(sys.argv[2])
index = json.load(open(f"{folder}/phrases.json"))
known = json.load(open(f"{folder}/line-ups.json"))
LENGTH = index["samples"]
labels = {p["program"]: (p["has"], p["perhaps"]) for p in known["players"]} | {DRUMS: (["Drums"], [])}
banks, players = {}, {}
for each in index["players"]:
    place = (each["first"], each["count"])
    banks.setdefault(each["bank"], {})[each["program"]] = place
    players.setdefault(each["program"], []).append(place)
melodic = [name for name, programs in banks.items() if len(programs) > 3]


def draw():
    """Returns for each of BATCH mixes its phrases, their gains, which are drums, and 1, 0 or NaN for each name."""
    phrases = np.zeros((BATCH, MOST_PLAYERS), np.int64)
    gains = np.zeros((BATCH, MOST_PLAYERS), np.float32)
    is_drums = np.zeros((BATCH, MOST_PLAYERS), bool)
    truth = np.zeros((BATCH, len(NAMES)), np.float32)
    for i in range(BATCH):
        line_up = random.choice(known["lineUps"])
        bank, is_alone = random.choice(melodic), random.random() < 0.6
        drawn = []
        for choices in line_up["choices"][: MOST_PLAYERS - 1]:
            own = banks[bank if is_alone else random.choice(melodic)]
            there = [p for p in choices if p in own]
            if there:
                program = random.choice(there)
                drawn.append((program, own[program]))
            elif there := [p for p in choices if p in players]:
                program = random.choice(there)
                drawn.append((program, random.choice(players[program])))
        if line_up["hasDrums"] or (drawn and random.random() < 0.08):
            drawn.append((DRUMS, random.choice(players[DRUMS])))
        has, perhaps = set(), set()
        for j, (program, (first, count)) in enumerate(drawn):
            phrases[i, j] = first + random.randrange(count)
            gains[i, j] = 10 ** (random.gauss(0, 4) / 20)
            is_drums[i, j] = program == DRUMS
            has |= set(labels[program][0])
            perhaps |= set(labels[program][1])
        truth[i] = [1 if name in has else math.nan if name in perhaps else 0 for name in NAMES]
    return phrases, gains, is_drums, truth


def keep_drawing(queue, seed):
    random.seed(seed)
    while True:
        queue.put(draw())


def mel_bank():
    """Returns the filters of src/ears/levels.ts."""
    linear, step = 200 / 3, math.log(6.4) / 27
    to_mel = lambda hz: hz / linear if hz < 1000 else 15 + math.log(hz / 1000) / step
    to_hz = lambda mel: mel * linear if mel < 15 else 1000 * math.exp(step * (mel - 15))
    edges = [to_hz(to_mel(HZ / 2) * band / (BANDS + 1)) for band in range(BANDS + 2)]
    bins = np.arange(WINDOW // 2 + 1) * HZ / WINDOW
    rows = []
    for low, centre, high in zip(edges, edges[1:], edges[2:]):
        height = np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre))
        rows.append(2 * np.maximum(0, height) / (high - low))
    return torch.tensor(np.stack(rows), dtype=torch.float32, device=DEVICE)


class Mixer:
    """Makes the levels of mixes whose players and rooms differ from those that were recorded."""

    def __init__(self, sounds):
        self.sounds = sounds
        self.bank, self.window = mel_bank(), torch.hann_window(WINDOW, device=DEVICE)
        self.hz = torch.linspace(0, HZ / 2, SAMPLES // 2 + 1, device=DEVICE)
        self.octaves = torch.log2(self.hz.clamp(min=40) / 40) / math.log2(HZ / 2 / 40)
        self.at = torch.arange(SAMPLES, device=DEVICE, dtype=torch.float32)

    def curve(self, count, decibels, points=9):
        """Random smooth gains over the octaves."""
        heights = torch.randn(count, points, device=DEVICE) * decibels
        place = self.octaves * (points - 1)
        low = place.floor().long().clamp(max=points - 2)
        return 10 ** ((heights[:, low] * (1 - place + low) + heights[:, low + 1] * (place - low)) / 20)

    def play(self, phrases, is_drums):
        """Returns the spectra of phrases from a random moment on, stretched, with vibrato, overdrive and equalisation."""
        count = len(phrases)
        unit = lambda: torch.rand(count, 1, device=DEVICE)
        is_varied = (unit() < 0.75).float()
        semitones = torch.randn(count, 1, device=DEVICE).clamp(-2.2, 2.2) * torch.where(is_drums, 0.8, 1.4)[:, None]
        vibrato, turn, rate = (unit() < 0.25).float() * unit() * 0.006, unit() * 2 * math.pi, 3.5 + 3.5 * unit()
        wave = torch.sin(turn + 2 * math.pi * rate * self.at / HZ) * vibrato * HZ / (2 * math.pi * rate)
        place = (unit() * LENGTH + 2 ** (semitones * is_varied / 12) * (self.at + wave)) % LENGTH
        low = place.long().clamp(max=LENGTH - 1)
        own, part = phrases[:, None], place - low
        sound = self.sounds[own, low].float() * (1 - part) + self.sounds[own, (low + 1) % LENGTH].float() * part
        driven = torch.tanh(sound * (10 + 60 * unit())) * 0.1
        spectra = torch.fft.rfft(torch.where(unit() < 0.08, driven, sound))
        spectra = spectra * self.curve(count, 7.2 * is_varied * unit())
        return spectra / ((spectra.abs() ** 2).mean(1, keepdim=True).sqrt() + 1e-9)

    def __call__(self, phrases, gains, is_drums):
        count = len(phrases)
        unit = lambda: torch.rand(count, 1, device=DEVICE)
        even = lambda sound: sound / (sound.pow(2).mean(1, keepdim=True).sqrt() + 1e-9)
        mix, player = (gains > 0).nonzero(as_tuple=True)
        played = self.play(phrases[mix, player], is_drums[mix, player]) * gains[mix, player][:, None]
        spectra = torch.zeros(count, len(self.hz), dtype=torch.complex64, device=DEVICE).index_add_(0, mix, played)
        spectra = spectra * self.curve(count, 5 * unit())
        dull = torch.where(unit() < 0.25, 2500 + 5500 * unit(), torch.full((count, 1), 1e5, device=DEVICE))
        spectra = spectra / (1 + (self.hz / dull) ** 8)
        room = torch.randn(count, SAMPLES // 2, device=DEVICE)
        room = room * torch.exp(-6.9 * self.at[: SAMPLES // 2] / HZ / (0.1 + 2 * unit()))
        answer = torch.fft.rfft(room / room.norm(dim=1, keepdim=True), n=SAMPLES)
        answer = answer / (1 + (self.hz / (2000 + 5000 * unit())) ** 2)
        share = (unit() < 0.55).float() * unit() * 0.6
        sound = even(torch.fft.irfft(spectra * (1 - share + share * answer), n=SAMPLES))
        level = nn.functional.avg_pool1d(sound.pow(2)[:, None], 1601, 1, 800)[:, 0].sqrt()
        sound = even(sound / (level + 0.05) ** ((unit() < 0.4).float() * unit() * 0.6))
        sound = sound * 0.1 * 10 ** (-0.9 + 1.2 * unit())
        noise = (unit() < 0.3).float() * 10 ** (-4 + 1.7 * unit())
        sound = torch.tanh(sound + noise * torch.randn(count, SAMPLES, device=DEVICE))
        frames = torch.stft(sound, WINDOW, HOP, window=self.window, center=False, return_complex=True)
        power = frames.abs()[:, :, :FRAMES] ** 2
        return torch.log10(1 + 10_000 * torch.einsum("mf,bft->btm", self.bank, power))


def layer(inputs, outputs, step, size):
    padding = (size[0] // 2, size[1] // 2)
    convolution = nn.Conv2d(inputs, outputs, size, step, padding=padding, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


class Network(nn.Module):
    """53 M multiplications for a passage: five convolutions, the mean and the most of each channel, and a name's sum."""

    def __init__(self):
        super().__init__()
        self.front = nn.Sequential(
            layer(1, 24, (2, 1), (5, 3)),
            layer(24, 32, (2, 2), (3, 3)),
            layer(32, 64, (2, 2), (3, 3)),
            layer(64, 96, (1, 2), (3, 3)),
            layer(96, 128, (2, 2), (3, 3)),
        )
        self.names = nn.Sequential(nn.Dropout(0.3), nn.Linear(128 * BANDS // 16 * 2, len(NAMES)))

    def forward(self, levels):
        channels = self.front(levels[:, None] - 1)
        return self.names(torch.cat([channels.mean(2), channels.amax(2)], 1).flatten(1))


def train():
    sound, hz = soundfile.read(f"{folder}/phrases.ogg", dtype="float32")
    assert hz == HZ
    count = len(sound) // LENGTH
    mixer = Mixer(torch.tensor(sound[: count * LENGTH].reshape(count, LENGTH), device=DEVICE).half())
    network = Network().to(DEVICE)
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.02)
    queue = multiprocessing.Queue(2 * DRAWERS)
    for seed in range(DRAWERS):
        multiprocessing.Process(target=keep_drawing, args=(queue, seed), daemon=True).start()
    started, step, loss_sum = time.time(), 0, 0.0
    while (done := (time.time() - started) / (60 * minutes)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, step / 300) * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-6
        phrases, gains, is_drums, truth = (torch.tensor(part, device=DEVICE) for part in queue.get())
        with torch.no_grad():
            levels = mixer(phrases, gains, is_drums)
        first, width = (torch.randint(0, most, (BATCH, 1), device=DEVICE) for most in (BANDS, 10))
        band = torch.arange(BANDS, device=DEVICE)
        levels = levels.masked_fill(((band >= first) & (band < first + width))[:, None, :], 0.3)
        is_known = (~truth.isnan()).float()
        with torch.autocast(DEVICE, torch.bfloat16):
            heard = network(levels)
        losses = nn.functional.binary_cross_entropy_with_logits(heard.float(), truth.nan_to_num(), reduction="none")
        loss = (is_known * losses).sum() / is_known.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for name, value in network.state_dict().items():
                if value.is_floating_point():
                    mean[name].lerp_(value, 1 - min(0.999, step / (step + 40)))
        step, loss_sum = step + 1, loss_sum + loss.item()
        if step % 500 == 0:
            print(step, round(loss_sum / 500, 4), flush=True)
            loss_sum = 0.0
    np.savez(f"{folder}/network.npz", **{name: value.cpu().numpy() for name, value in mean.items()})


if __name__ == "__main__":
    train()
